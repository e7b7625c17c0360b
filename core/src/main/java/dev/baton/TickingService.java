package dev.baton;

/**
 * A service that is called in every sweep of its loop, also without a message, for timers and windows. Other services are called
 * for messages only. Confined to its loop, as {@link Service}.
 *
 * <p>After a restart, a service with a state or held inputs receives its inputs again without the ticks between them, and then the
 * last tick that sent a message. So its ticks must not change what later inputs lead to. Timers that inputs start again belong in
 * {@code onMessage}, behind a service without a state that sends clock messages.
 */
public interface TickingService extends Service {
    /**
     * Called once in every sweep of the loop, for timers and windows.
     *
     * @param out has room for {@link Outlet#remainingCapacity} messages. Messages that are sent here have the sequence of the
     *     last handled input as their cause, and are marked as sent by a tick ({@link Message#isOfTick})
     * @return work count; 0 if there was nothing to do
     * @throws Exception any exception; the chain then fails
     */
    int onTick(Outlet out) throws Exception;

    /**
     * {@return the {@link ServiceContext#nanoTime} at which {@link #onTick} next has something to do; {@link Long#MAX_VALUE}
     * for never} It shortens the pauses of the loop; {@code onTick} is called in every sweep, also before that time. To
     * wait for a {@link ServiceContext#time} {@code due}, compute {@code nanoTime() + due - time()} in {@code onTick}, where both are
     * current.
     */
    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }
}
