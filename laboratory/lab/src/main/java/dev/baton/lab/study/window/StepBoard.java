package dev.baton.lab.study.window;

/**
 * The progress of each step, all parts of the job together: a window's emission has begun when that of its last part has, and is complete
 * when that of its last part is. It keeps every step, {@value #BYTES} bytes each, as only the end shows which of them overlap a stall.
 * Steps count from 1. Thread-safe, by a monitor taken a few times in each step.
 */
final class StepBoard {
    static final int BYTES = 3 * Long.BYTES + 2 * Short.BYTES; // bytes of heap for a step

    private final int parts;
    private final long[] begunNanos; // from the step's end, latest of the parts so far; like the next two
    private final long[] doneNanos;
    private final long[] sendDelayNanos;
    private final short[] announced;
    private final short[] done;

    StepBoard(int parts, int steps) {
        this.parts = parts;
        begunNanos = new long[steps];
        doneNanos = new long[steps];
        sendDelayNanos = new long[steps];
        announced = new short[steps];
        done = new short[steps];
    }

    /** Steps that there is room for. */
    int steps() {
        return begunNanos.length;
    }

    /** Records that a source has sent the watermark of a step, this long after its end. */
    synchronized void announced(int step, long afterNanos) {
        announced[step - 1]++;
        sendDelayNanos[step - 1] = Math.max(sendDelayNanos[step - 1], afterNanos);
    }

    /**
     * Records that a sink has received all of a step.
     *
     * @param begunAfterNanos from the step's end until it received the first key
     * @param doneAfterNanos until it received the last
     * @return whether this was the last part: then the step's figures are final
     */
    synchronized boolean completed(int step, long begunAfterNanos, long doneAfterNanos) {
        int at = step - 1;
        begunNanos[at] = Math.max(begunNanos[at], begunAfterNanos);
        doneNanos[at] = Math.max(doneNanos[at], doneAfterNanos);
        return ++done[at] == parts;
    }

    /** Returns the time from the step's end until the last part's emission began. */
    synchronized long begunNanos(int step) {
        return begunNanos[step - 1];
    }

    /** Returns the time from the step's end until the last part's emission was complete. */
    synchronized long doneNanos(int step) {
        return doneNanos[step - 1];
    }

    /** Returns the time from the step's end until the last part's source had sent the watermark. */
    synchronized long sendDelayNanos(int step) {
        return sendDelayNanos[step - 1];
    }

    /** {@return whether every source has sent its watermark} */
    synchronized boolean isAnnounced(int step) {
        return announced[step - 1] == parts;
    }

    /** {@return whether every part was emitted} */
    synchronized boolean isDone(int step) {
        return done[step - 1] == parts;
    }
}
