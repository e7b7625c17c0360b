package dev.baton.test.guard;

import dev.baton.Claim;
import dev.baton.ConfigurationException;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The outlet of one callback: records its messages, and the exception of a claim. Confined to the thread of the callback. */
final class GuardedOutlet implements Outlet {
    private final Outlet outlet;
    private final String service;
    private final CallbackHooks hooks;
    private final boolean mayRetry; // the callback, on the same instance
    private final Thread thread = Thread.currentThread();
    private final List<Sent> sent = new ArrayList<>();
    private boolean hasEnded;
    private Throwable thrown; // by a claim; null for none

    GuardedOutlet(Outlet outlet, String service, CallbackHooks hooks, boolean mayRetry) {
        this.outlet = outlet;
        this.service = service;
        this.hooks = hooks;
        this.mayRetry = mayRetry;
    }

    private Outlet live() {
        if (hasEnded) {
            throw misuse("service " + service
                    + " uses its outlet after the callback has returned; it is valid during a callback");
        }
        if (Thread.currentThread() != thread) {
            throw misuse("service " + service + " uses its outlet on thread "
                    + Thread.currentThread().getName() + "; it belongs to the thread of the callback");
        }
        return outlet;
    }

    private IllegalStateException misuse(String what) {
        IllegalStateException misuse = new IllegalStateException(what);
        hooks.misused(service, misuse);
        return misuse;
    }

    private interface Claiming {
        Claim of(Outlet outlet);
    }

    private Claim claim(ByteBuffer key, Claiming claiming) {
        ByteBuffer kept = Sent.copy(key);
        Outlet live = live();
        try {
            hooks.claims(service, mayRetry && sent.isEmpty());
            Claim claim = claiming.of(live);
            return claim == null ? null : new GuardedClaim(claim, this, kept);
        } catch (IllegalStateException | ConfigurationException | InjectedFailure | Error failure) {
            thrown = failure;
            throw failure;
        }
    }

    void sent(Sent message) {
        sent.add(message);
    }

    List<Sent> sent() {
        return sent;
    }

    /** Returns the exception of a claim, which the callback has to propagate; null for none. */
    Throwable thrown() {
        return thrown;
    }

    void end() {
        hasEnded = true;
    }

    @Override
    public int remainingCapacity() {
        return live().remainingCapacity();
    }

    @Override
    public long sequence() {
        return live().sequence();
    }

    @Override
    public ByteBuffer inputKey() {
        return live().inputKey();
    }

    @Override
    public Claim claim(int maxLength) {
        return claim(null, live -> live.claim(maxLength));
    }

    @Override
    public Claim claim(int maxLength, ByteBuffer key) {
        return claim(key, live -> live.claim(maxLength, key));
    }

    @Override
    public Claim claim(int maxLength, MessageFields fields) {
        return claim(fields.key(), live -> live.claim(maxLength, fields));
    }
}
