package dev.baton.operations.replay;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.TickingService;

/**
 * A service that receives only the recorded ticks, and whose state is not restored: its snapshots are elsewhere. Confined to the replay's
 * thread.
 */
final class TickedService implements TickingService {
    private final Service service;
    private boolean isDue;
    private boolean isClosing;

    private TickedService(Service service) {
        this.service = service;
    }

    /** Returns the schedule of a service; null for a service that sends only in answer to inputs, and has no snapshots. */
    static TickedService of(Service service) {
        return service instanceof TickingService || overridesClosing(service) || service.state() != null
                ? new TickedService(service)
                : null;
    }

    private static boolean overridesClosing(Service service) {
        try {
            return service.getClass().getMethod("onClosing", Outlet.class).getDeclaringClass() != Service.class;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Makes the next turn a tick, or the last call before a close. */
    void due(boolean closing) {
        isDue = true;
        isClosing = closing;
    }

    @Override
    public int onTick(Outlet out) throws Exception {
        if (!isDue) {
            return 0;
        }
        isDue = false;
        if (isClosing) {
            service.onClosing(out);
            return 1;
        }
        return service instanceof TickingService ticking ? ticking.onTick(out) : 0;
    }

    @Override
    public void onMessage(Message in, Outlet out) throws Exception {
        service.onMessage(in, out);
    }

    @Override
    public int maxOutputs() {
        return service.maxOutputs();
    }

    @Override
    public boolean isFailureAtomic() {
        return service.isFailureAtomic();
    }

    @Override
    public boolean holdsInputs() {
        return service.holdsInputs();
    }

    @Override
    public int keyedStateVersion() {
        return service.keyedStateVersion();
    }

    @Override
    public void onStart(ServiceContext context) throws Exception {
        service.onStart(context);
    }

    @Override
    public void onClosed() {
        service.onClosed();
    }
}
