package dev.baton;

/**
 * The code between two topics: takes one message at a time and may send others on.
 *
 * <p>A callback that throws has not consumed its message and leaves no output behind; the chain's {@link ErrorPolicy}
 * decides what happens next. One instance serves one chain and is called by one thread at a time, so that its fields
 * need no protection.
 */
@FunctionalInterface
public interface Service {
    /**
     * Handles one message. Must not block: other services may share the thread.
     *
     * @param in valid until this method returns
     * @param out takes up to {@link #maxOutputs} messages, for which there is room
     */
    void onMessage(Message in, Outlet out) throws Exception;

    /**
     * The most messages that one input may produce. A service with at most one is effectively-once across a restart on
     * durable transports; one with more may repeat outputs of the input it was handling, unless the transport stores a
     * flush wholly or not at all, as Kafka does with {@code transactions=true}.
     */
    default int maxOutputs() {
        return 1;
    }

    /**
     * Called once in every sweep of the loop, for timers and windows.
     *
     * @param out takes as many messages as {@link Outlet#room} says; what this method sends carries the sequence of the
     *     last input handled as its cause
     * @return work done, 0 when there was nothing to do
     */
    default int onTick(Outlet out) throws Exception {
        return 0;
    }

    /** The {@link System#nanoTime} at which {@link #onTick} next has something to do, {@link Long#MAX_VALUE} if never. */
    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }
}
