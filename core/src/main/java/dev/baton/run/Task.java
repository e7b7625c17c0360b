package dev.baton.run;

/**
 * Something that a {@link Loop} does in turns. All methods are called on the loop's thread, and none but {@link #open}
 * and {@link #close} may block.
 */
public interface Task {
    /** Opens what the task needs; the first call. What it throws is handed to the caller that added the task. */
    void open(Connections connections);

    /**
     * One bounded turn.
     *
     * @return work done, 0 when there was nothing to do
     */
    int doWork();

    /** The {@link System#nanoTime} at which the task has something to do by itself, {@link Long#MAX_VALUE} if never. */
    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }

    /** Sweeps that one message needs to get through this task; a paced loop divides its budget by it. */
    default int sweepsPerMessage() {
        return 1;
    }

    /** Takes note of a failure of {@link #doWork} or of a connection in use; the task gets no further turns. */
    void failed(Throwable cause);

    /** Releases what {@link #open} opened, also when that failed half-way; the last call. */
    void close();
}
