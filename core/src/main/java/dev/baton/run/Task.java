package dev.baton.run;

/**
 * A unit of work that a {@link Loop} runs in turns; Agrona calls it an {@code Agent}. All methods are called on the
 * loop's thread, and none but {@link #open} and {@link #close} may block.
 */
public interface Task {
    /**
     * Begins what {@link #open} opens, so that other threads can prepare it; the first call, if a caller {@link
     * Loop#begin begins} with the task. What it throws is handed to that caller.
     *
     * @param connections of the loop that the task is on
     */
    default void begin(Connections connections) {}

    /**
     * Opens what the task needs. What it throws is handed to the caller that added the task.
     *
     * @param connections of the loop that the task is on
     */
    void open(Connections connections);

    /**
     * One bounded turn.
     *
     * @return work done, 0 when there was nothing to do
     */
    int doWork();

    /**
     * {@return the {@link System#nanoTime} at which the task has something to do without news, {@link Long#MAX_VALUE}
     * if never}
     */
    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }

    /**
     * {@return the number of sweeps that one message needs to get through this task; a paced loop divides its budget by
     * it}
     */
    default int sweepsPerMessage() {
        return 1;
    }

    /**
     * Takes note of a failure of {@link #doWork} or of a connection in use; the task gets no further turns.
     *
     * @param cause what was thrown
     */
    void failed(Throwable cause);

    /**
     * Does what {@link #close} would block for. Until that is done, the connections get their turns and this is called
     * again with every sweep. {@link #close} follows, also when this throws.
     *
     * @return whether it is done
     */
    default boolean tryClose() {
        return true;
    }

    /** Releases what {@link #begin} and {@link #open} have, also when they failed half-way; the last call. */
    void close();
}
