package dev.baton.engine.loop;

/**
 * A unit of work that a {@link Loop} runs in turns. Agrona calls it an {@code Agent}. All methods are called on the loop's
 * thread, and only {@link #open} and {@link #close} may block.
 */
public interface Task {
    /**
     * Begins what {@link #open} opens, so that other threads can prepare it. It is the first call, if the caller uses {@link
     * Loop#begin}. An exception is passed to that caller.
     *
     * @param connections connections of the task's loop
     */
    default void begin(Connections connections) {}

    /**
     * Opens what the task needs. An exception is passed to the caller that added the task.
     *
     * @param connections connections of the task's loop
     */
    void open(Connections connections);

    /**
     * Takes one bounded turn.
     *
     * @return work count; 0 if there was nothing to do
     */
    int doWork();

    /**
     * {@return the {@link System#nanoTime} at which the task has something to do without a new message; {@link Long#MAX_VALUE}
     * for never}
     */
    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }

    /**
     * {@return whether the loop is woken for all work of the task before its deadline} An idle loop whose tasks are all
     * woken pauses for longer than its idle strategy specifies. Called before each pause.
     */
    default boolean isWoken() {
        return false;
    }

    /**
     * {@return the number of sweeps that one message needs to pass this task; a loop with a latency budget divides the budget
     * by it}
     */
    default int sweepsPerMessage() {
        return 1;
    }

    /**
     * {@return whether a turn of the task is in progress, and a callback of it calls the loop} The task is then closed when the
     * turn has ended.
     */
    default boolean isInTurn() {
        return false;
    }

    /**
     * Called after a failure of {@link #doWork} or of a connection in use. The task gets no further turns.
     *
     * @param cause exception that was thrown
     */
    void failed(Throwable cause);

    /**
     * Does the part of the closing for which {@link #close} would block. Called with every sweep until it is done; connections
     * get their turns meanwhile. {@link #close} follows, also if this throws.
     *
     * @return whether it is done
     */
    default boolean tryClose() {
        return true;
    }

    /** Releases what {@link #begin} and {@link #open} have acquired, also if they failed halfway. It is the last call. */
    void close();
}
