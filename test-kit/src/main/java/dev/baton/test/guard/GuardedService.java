package dev.baton.test.guard;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.StatefulService;
import dev.baton.TickingService;
import java.util.Arrays;

/** A service in a test, with hooks around each callback. Confined to its loop. */
public class GuardedService implements Service {
    private final String name;
    private final Service service;
    private final CallbackHooks hooks;
    private final boolean isFailureAtomic;
    private ServiceContext context; // null before the start

    private GuardedService(String name, Service service, CallbackHooks hooks) {
        this.name = name;
        this.service = service;
        this.hooks = hooks;
        this.isFailureAtomic = service.isFailureAtomic();
    }

    /** Returns a guard of a service, which ticks if the service does. */
    public static GuardedService of(String name, Service service, CallbackHooks hooks) {
        return service instanceof TickingService ticking
                ? new Ticking(name, ticking, hooks)
                : new GuardedService(name, service, hooks);
    }

    /** {@return whether the service has a tick in every sweep, and names no time for the next one} */
    public boolean ticksAtAnyTime() {
        return false;
    }

    private interface Body {
        int run(Outlet out) throws Exception;
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
        return isFailureAtomic;
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
    public void onStart(ServiceContext context) throws Exception {
        this.context = context;
        service.onStart(new GuardedContext(context, hooks));
    }

    @Override
    public void onMessage(Message in, Outlet out) throws Exception {
        hooks.before(name);
        GuardedOutlet outlet = deliver(in, out);
        while (outlet.thrown() != null) {
            outlet = deliver(in, out); // as a retry would
        }
        hooks.handled(name, in, outlet.sent());
        hooks.after(name);
    }

    /** Delivers a message to the service. The outlet has an exception if the message has to be retried. */
    private GuardedOutlet deliver(Message in, Outlet out) throws Exception {
        GuardedMessage message = new GuardedMessage(in, name, hooks);
        GuardedOutlet outlet = new GuardedOutlet(out, name, hooks, mayRetry());
        try {
            run(outlet, guarded -> {
                handle(message, guarded);
                return 1;
            });
        } catch (Halt failure) {
            boolean isRetried = mayRetry()
                    && outlet.thrown() instanceof InjectedFailure
                    && outlet.sent().isEmpty()
                    && hooks.retries();
            if (!isRetried) {
                throw failure;
            }
        } finally {
            message.end(hooks.poison());
        }
        return outlet;
    }

    /** Returns whether the guard may call the service again for a message: the engine undoes changes of keyed state, not the guard. */
    private boolean mayRetry() {
        return isFailureAtomic && service.keyedStateVersion() < 0;
    }

    private void handle(GuardedMessage message, Outlet out) throws Exception {
        StatefulService state = isFailureAtomic ? service.state() : null;
        if (state == null) {
            service.onMessage(message, out);
            return;
        }
        byte[] before = StateBytes.of(state);
        try {
            service.onMessage(message, out);
        } catch (Exception | Error thrown) {
            if (Arrays.equals(before, StateBytes.of(state))) {
                throw thrown;
            }
            IllegalStateException half = new IllegalStateException(
                    "service " + name + " returns true from isFailureAtomic, but its call for message "
                            + message.sequence()
                            + " threw and has changed its state, so that the message would count twice; change the state last,"
                            + " after claims and all else that may throw: " + thrown,
                    thrown);
            hooks.misused(name, half);
            throw half;
        }
    }

    @Override
    public void onClosed() {
        service.onClosed();
    }

    @Override
    public void onClosing(Outlet out) throws Exception {
        run(new GuardedOutlet(out, name, hooks, false), guarded -> {
            service.onClosing(guarded);
            return 1;
        });
    }

    private int tick(TickingService ticking, Outlet out) throws Exception {
        if (!context.isRepeatingTick() && hooks.delaysTick(name)) {
            return 0;
        }
        hooks.before(name);
        int work = run(new GuardedOutlet(out, name, hooks, false), ticking::onTick);
        if (work > 0) {
            hooks.after(name);
        }
        return work;
    }

    private int run(GuardedOutlet outlet, Body body) throws Exception {
        int result;
        try {
            result = body.run(outlet);
        } catch (Exception | Error thrown) {
            if (outlet.thrown() instanceof InjectedFailure) {
                throw new Halt("a claim of service " + name + " failed");
            }
            throw thrown;
        } finally {
            outlet.end();
        }
        if (outlet.thrown() != null) {
            IllegalStateException swallowed = new IllegalStateException(
                    "service " + name
                            + " has swallowed what its outlet threw, so the input counts as handled without its"
                            + " output; let it through: " + outlet.thrown(),
                    outlet.thrown());
            hooks.misused(name, swallowed);
            throw swallowed;
        }
        return result;
    }

    /** A guard of a service with a tick. */
    private static final class Ticking extends GuardedService implements TickingService {
        private final TickingService ticking;

        Ticking(String name, TickingService ticking, CallbackHooks hooks) {
            super(name, ticking, hooks);
            this.ticking = ticking;
        }

        @Override
        public boolean ticksAtAnyTime() {
            return ticking.deadlineNanos() == Long.MAX_VALUE;
        }

        @Override
        public int onTick(Outlet out) throws Exception {
            return super.tick(ticking, out);
        }

        @Override
        public long deadlineNanos() {
            long deadline = ticking.deadlineNanos();
            return deadline == Long.MAX_VALUE ? deadline : deadline - super.hooks.clockShift();
        }
    }
}
