package dev.baton.engine.cycle;

import dev.baton.spi.TopicReader;

/**
 * The end of a part's input once its chain is closing: the last message of the upstream part. Confined to its part's loop,
 * except for {@link #follow}.
 */
public final class InputEnd {
    private Upstream upstream; // null if another process feeds the topic
    private boolean isAwaited;
    private boolean hasFoundNothing; // since the last input was written; used if the sequences are not known

    /** Sets the part that feeds the input topic. */
    public void follow(Upstream feedingPart) {
        upstream = feedingPart;
    }

    /** Records that an await of the reader's connection ends with each input ({@link dev.baton.spi.Connection#awaitsNews}). */
    public void awaited() {
        isAwaited = true;
    }

    /** Returns whether the end is unknown because another process feeds the topic. */
    boolean isUnknown() {
        return upstream == null;
    }

    /** Returns whether the part's loop is woken for each input. */
    boolean isWoken() {
        return isAwaited || upstream != null && upstream.wakesReader();
    }

    /** Returns whether the last message is written. */
    boolean isWritten() {
        return upstream != null && upstream.drainedAt() != Upstream.NOT_YET;
    }

    /** Records the result of a poll that began after the last message was written. */
    void polled(boolean nothing) {
        hasFoundNothing = nothing;
    }

    /**
     * Returns whether all inputs are consumed.
     *
     * @param isBehindGap whether records were skipped after the last input consumed, which may have been inputs
     */
    boolean isReached(long consumed, boolean isBehindGap) {
        if (upstream == null) {
            return true;
        }
        long last = upstream.drainedAt();
        if (consumed != TopicReader.UNKNOWN && (!isBehindGap || consumed >= last)) {
            return last != Upstream.NOT_YET && consumed >= last;
        }
        return last == 0 || last != Upstream.NOT_YET && hasFoundNothing;
    }
}
