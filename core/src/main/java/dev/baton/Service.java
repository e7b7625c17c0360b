package dev.baton;

/**
 * The code between two topics of a chain. It receives one message at a time and may send messages.
 *
 * <p>A callback that throws does not consume its message and leaves no output; the chain's {@link ErrorPolicy} decides what
 * happens next. One instance belongs to one running chain and is called by one thread at a time, so its fields need no
 * synchronisation; with a {@link Concurrency} there are several instances.
 */
@FunctionalInterface
public interface Service extends MessageHandler {
    /**
     * Handles one message. Must not block, because other services may share the thread, unless the service has a {@link
     * Concurrency}.
     *
     * @param in valid until this method returns
     * @param out output, which has room for {@link #maxOutputs} messages, and takes no more
     * @throws Exception any exception; the chain's {@link ErrorPolicy} then applies
     */
    @Override
    void onMessage(Message in, Outlet out) throws Exception;

    /**
     * {@return the maximum number of messages that the service sends for one input} On durable transports a service that sends
     * at most one per input and per tick is effectively-once across a restart. A service that sends more may repeat outputs of
     * the interrupted input or tick, unless the transport stores a flush completely or not at all, as Kafka does with {@code
     * transactions=true}.
     */
    default int maxOutputs() {
        return 1;
    }

    /**
     * {@return whether the service holds inputs that it has not answered yet, as a window does, and names them with {@link
     * ServiceContext#holdFrom}} Called once, before {@link #onStart}.
     *
     * <p>If it is false, inputs are acknowledged when their outputs are stored, and after a crash inputs whose outputs are
     * stored are not delivered again. If it is true, inputs are delivered again from the oldest held one on. Up to {@link
     * ServiceContext#redeliveredUpTo} they have {@link Message#isRedelivered} set, and what the service sends meanwhile is
     * dropped, since it is stored already. There are no ticks meanwhile; if a tick sent the newest output, one tick with the
     * recorded time follows at the end. So a service that sends only for inputs or only on ticks, and depends only on its
     * inputs and {@link ServiceContext#time}, returns to its earlier state and sends each output once.
     */
    default boolean holdsInputs() {
        return false;
    }

    /**
     * {@return the service whose state is saved in snapshots, normally this one; null if there is none} Called before {@link
     * #onStart}.
     */
    default StatefulService state() {
        return null;
    }

    /**
     * {@return the version of the format of the values that the service keeps with {@link ServiceContext#state}, from 0; -1 if
     * it keeps none} {@link KeyedService} returns 0. Called before {@link #onStart}.
     */
    default int keyedStateVersion() {
        return -1;
    }

    /**
     * {@return whether a call of {@link #onMessage} that throws leaves the service as it was before that call} The default
     * is true for a service that neither holds inputs nor is a {@link StatefulService}, and otherwise false. Changes of
     * keyed state are undone.
     *
     * <p>A message that failed is delivered again, skipped or stored as a dead letter. If the service had counted half of
     * it before it threw, it would count it twice, or count a dead letter. So an {@link ErrorPolicy} other than {@link
     * ErrorPolicy#stop} is refused at the start if this is false. Return true if {@code onMessage} changes the state last,
     * after everything that may throw: reading the message, claims and commits. Without that, {@link
     * RestartPolicy#afterServiceFailures} delivers the message again to a new service with the restored state.
     */
    default boolean isFailureAtomic() {
        return !holdsInputs() && state() == null;
    }

    /**
     * Called first, before any message, on the service's loop.
     *
     * @param context valid until the chain has stopped
     * @throws Exception any exception; the start then fails with it
     */
    default void onStart(ServiceContext context) throws Exception {}

    /**
     * Called at an orderly close, after every input has been handled. Messages that are sent here count as sent by a tick.
     * Inputs that are still held afterwards are delivered again at the next start. Not called if the chain has failed or the
     * time to close is over.
     *
     * @param out output, which has room for at least {@link #maxOutputs} messages
     * @throws Exception any exception; the chain then fails
     */
    default void onClosing(Outlet out) throws Exception {}

    /**
     * Called last on the service's loop, also after a failure and if {@link #onStart} threw, to release resources. May block.
     */
    default void onClosed() {}
}
