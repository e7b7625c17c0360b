package dev.baton;

import java.util.function.Predicate;

/** A service that receives the messages which a predicate lets through. Confined to its loop. */
final class FilteredService implements Service {
    private final Service service;
    private final Predicate<? super Message> passes;

    FilteredService(Service service, Predicate<? super Message> passes) {
        this.service = service;
        this.passes = passes;
    }

    /** The service itself. */
    Service service() {
        return service;
    }

    @Override
    public void onMessage(Message in, Outlet out) throws Exception {
        if (passes.test(in)) {
            service.onMessage(in, out);
        }
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
    public void onStart(ServiceContext context) throws Exception {
        service.onStart(context);
    }

    @Override
    public void onClosing(Outlet out) throws Exception {
        service.onClosing(out);
    }

    @Override
    public int onTick(Outlet out) throws Exception {
        return service.onTick(out);
    }

    @Override
    public long deadlineNanos() {
        return service.deadlineNanos();
    }
}
