package dev.baton;

/**
 * The code between two topics: takes one message at a time and may send others on.
 *
 * <p>A callback that throws has not consumed its message and leaves no output behind; the chain's {@link ErrorPolicy}
 * decides what happens next. One instance serves one chain and is called by one thread at a time, so that its fields
 * need no protection.
 */
@FunctionalInterface
public interface Service extends MessageHandler {
    /**
     * Handles one message. Must not block: other services may share the thread.
     *
     * @param in valid until this method returns
     * @param out takes up to {@link #maxOutputs} messages, for which there is room
     * @throws Exception anything; the chain's {@link ErrorPolicy} then handles it
     */
    @Override
    void onMessage(Message in, Outlet out) throws Exception;

    /**
     * {@return the most messages that one input may produce} A service with at most one, per input and per tick, is
     * effectively-once across a restart on durable transports; one with more may repeat outputs of the input or tick it was
     * in, unless the transport stores a flush wholly or not at all, as Kafka does with {@code transactions=true}.
     */
    default int maxOutputs() {
        return 1;
    }

    /**
     * {@return whether the service keeps something of its inputs that it has not sent on yet, as a window does, and says with
     * {@link ServiceContext#holdFrom} which inputs it needs} Asked once, before {@link #onStart}.
     *
     * <p>Inputs of a service that holds none are acknowledged when their outputs are stored, and after a crash those whose
     * outputs are stored are not delivered again. Inputs of one that holds are delivered again from the oldest one held:
     * up to {@link ServiceContext#redeliveredUpTo} with {@link Message#isRedelivered} set, and what the service sends
     * meanwhile is dropped, since it is stored already. No tick is given meanwhile, but one at the end, of the recorded
     * time, if a tick sent the newest output. A service that sends by inputs alone or by ticks alone, and depends on
     * nothing but its inputs and {@link ServiceContext#time}, so comes back to where it was and sends each output once.
     */
    default boolean holdsInputs() {
        return false;
    }

    /**
     * {@return the service whose state is saved in snapshots, as a rule this one; null where none is} Asked before {@link
     * #onStart}.
     */
    default StatefulService state() {
        return null;
    }

    /**
     * The first call, before any message, on the service's loop.
     *
     * @param context valid until the chain has stopped
     * @throws Exception anything; the start fails with it
     */
    default void onStart(ServiceContext context) throws Exception {}

    /**
     * The last call when a chain is closed in order: every input has been handled. What is sent here counts as sent by a
     * tick. Inputs still held afterwards are delivered again at the next start. Not called when the chain has failed or
     * the time to close is over.
     *
     * @param out has room for {@link #maxOutputs} messages, at least
     * @throws Exception anything; the chain then fails
     */
    default void onClosing(Outlet out) throws Exception {}

    /** The last call on the service's loop, also after a failure and when {@link #onStart} threw: releases what it has. May block. */
    default void onClosed() {}

    /**
     * Called once in every sweep of the loop, for timers and windows.
     *
     * @param out takes as many messages as {@link Outlet#remainingCapacity} says; what this method sends carries the sequence of the
     *     last input handled as its cause, marked as sent by a tick ({@link Message#isOfTick})
     * @return work done, 0 when there was nothing to do
     * @throws Exception anything; the chain then fails
     */
    default int onTick(Outlet out) throws Exception {
        return 0;
    }

    /**
     * {@return the {@link ServiceContext#nanoTime} at which {@link #onTick} next has something to do, {@link Long#MAX_VALUE}
     * if never}
     */
    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }
}
