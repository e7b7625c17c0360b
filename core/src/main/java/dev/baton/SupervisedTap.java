package dev.baton;

import java.util.Objects;

/** How a tap is attached that is opened again when it fails: {@link Tap#restart}. Confined to one thread. */
public final class SupervisedTap {
    private final Tap tap;
    private final RestartPolicy policy;

    SupervisedTap(Tap tap, RestartPolicy policy) {
        this.tap = tap;
        this.policy = Objects.requireNonNull(policy, "restart policy");
    }

    /**
     * Starts the tap as {@link Tap#handle(OutputHandler)} does, and throws what that throws: only a tap that has run once is
     * opened again.
     *
     * @param handler the same in all runs, which is given again what was handled and not acknowledged
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
     * @param codec makes a decoder for each run
     * @param handler the same in all runs, which is given again what was handled and not acknowledged
     * @return the tap, whose first run is open; it has no inlet
     */
    public <T> SupervisedChain handle(Serde<T> codec, TypedOutputHandler<? super T> handler) {
        return tap.deployment().onOutput(codec, handler).restart(policy).start();
    }
}
