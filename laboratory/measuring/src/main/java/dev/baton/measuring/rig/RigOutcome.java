package dev.baton.measuring.rig;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** The outcome of a rig's instances, which are numbered from 0. Called by the trial's thread alone, except {@link #failed}. */
public abstract class RigOutcome {
    /** The instance of a failure that may be that of any. */
    protected static final int ANY_INSTANCE = -1;

    /** Those from which no message will come out any more. */
    protected final Set<Integer> drained = new HashSet<>();

    /** Those whose end was awaited, drained or not. */
    protected final Set<Integer> waitedFor = new HashSet<>();

    private final AtomicReference<ChainRig.Failure> failure = new AtomicReference<>();

    /** Notes what stopped an instance, unless another one was noted before. Any thread. */
    protected final void failed(Throwable cause, int instance) {
        failure.compareAndSet(null, new ChainRig.Failure(instance + 1, cause));
    }

    /** {@return the failure that stopped one of the chains, if any} */
    public final Optional<ChainRig.Failure> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** {@return whether an instance had drained before it was stopped, or had failed, so that no more messages come out} */
    public boolean isDrained(int instance) {
        return drained.contains(instance);
    }

    /** {@return whether the end of an instance was awaited, drained or not} */
    public boolean hadTimeToDrain(int instance) {
        return waitedFor.contains(instance);
    }
}
