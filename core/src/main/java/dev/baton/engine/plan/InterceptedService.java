package dev.baton.engine.plan;

import dev.baton.Message;
import dev.baton.MessageHandler;
import dev.baton.MessageInterceptor;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.StatefulService;
import java.util.List;
import java.util.Objects;

/** A service with an interceptor around its message handler. Confined to its loop. */
public final class InterceptedService implements Service {
    private final Service service;
    private final MessageInterceptor interceptor;
    private MessageHandler handler; // set by onStart

    public InterceptedService(Service service, MessageInterceptor interceptor) {
        this.service = service;
        this.interceptor = interceptor;
    }

    /** Returns the service with these interceptors around it, the last one outermost. */
    public static Service around(List<MessageInterceptor> interceptors, Service service) {
        Service outermost = service;
        for (MessageInterceptor each : interceptors) {
            outermost = new InterceptedService(outermost, each);
        }
        return outermost;
    }

    /** Returns the service of the user. */
    public static Service innermost(Service service) {
        Service inner = service;
        while (inner instanceof InterceptedService intercepted) {
            inner = intercepted.service;
        }
        return inner;
    }

    /** Returns the start of the calls of an asynchronous service; null if it is not one. */
    public static AsyncStart asyncStart(Service service) {
        Service inner = service;
        while (inner instanceof InterceptedService intercepted) {
            if (intercepted.interceptor instanceof AsyncStart start) {
                return start;
            }
            inner = intercepted.service;
        }
        return null;
    }

    /** Returns the handler of the messages of a started service, which avoids a call through this class. */
    public static MessageHandler handler(Service service) {
        return service instanceof InterceptedService intercepted ? intercepted.handler : service;
    }

    /** Returns the handler that the outermost interceptor of a started service calls. */
    public static MessageHandler behind(Service service) {
        return service instanceof InterceptedService intercepted ? handler(intercepted.service) : service;
    }

    @Override
    public void onStart(ServiceContext context) throws Exception {
        service.onStart(context);
        handler = Objects.requireNonNull(
                interceptor.intercept(context, handler(service)), "the interceptor returned no handler");
    }

    @Override
    public void onMessage(Message in, Outlet out) throws Exception {
        handler.onMessage(in, out);
    }

    @Override
    public int maxOutputs() {
        return service.maxOutputs();
    }

    @Override
    public boolean holdsInputs() {
        return service.holdsInputs();
    }

    @Override
    public boolean isFailureAtomic() {
        return service.isFailureAtomic();
    }

    @Override
    public StatefulService state() {
        return service.state();
    }

    @Override
    public int keyedStateVersion() {
        return service.keyedStateVersion();
    }

    @Override
    public void onClosing(Outlet out) throws Exception {
        service.onClosing(out);
    }

    @Override
    public void onClosed() {
        service.onClosed();
    }
}
