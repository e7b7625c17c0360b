package dev.baton;

import java.util.Objects;

/** The configuration of a tap that is opened again when it fails: {@link Tap#restart}. Confined to one thread. */
public final class SupervisedTap {
    private final Tap tap;
    private final RestartPolicy policy;

    SupervisedTap(Tap tap, RestartPolicy policy) {
        this.tap = tap;
        this.policy = Objects.requireNonNull(policy, "restart policy");
    }

    /**
     * Starts the tap as {@link Tap#handle(OutputHandler)} does, and throws the same exceptions: only a tap whose first run was open
     * is opened again.
     *
     * @param handler the same object in all runs; it receives messages again that were handled and not acknowledged
     * @return the tap, whose first run is open; it has no inlet
     * @throws IllegalArgumentException for manual loops, as the tap is opened again on another thread
     */
    public SupervisedChain handle(OutputHandler handler) {
        return tap.deployment().onOutput(handler).restart(policy).start();
    }

    /**
     * Starts the tap as {@link #handle(OutputHandler)} does, for the values of a codec.
     *
     * @param <T> the values
     * @param codec creates a decoder for each run
     * @param handler the same object in all runs; it receives messages again that were handled and not acknowledged
     * @return the tap, whose first run is open; it has no inlet
     */
    public <T> SupervisedChain handle(Serde<T> codec, TypedOutputHandler<? super T> handler) {
        return tap.deployment().onOutput(codec, handler).restart(policy).start();
    }
}
