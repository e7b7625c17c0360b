package dev.baton.engine.cycle;

import dev.baton.spi.TopicReader;

/**
 * Where the input of a part ends once its chain is closing: with the last message of what feeds it. Confined to its
 * part's loop, but for {@link #follow}.
 */
public final class InputEnd {
    private Upstream upstream; // null: topics fed by another process
    private boolean hasFoundNothing; // since the last input was written, where its sequence is not known

    /** Sets what feeds the input topic. */
    void follow(Upstream feedingPart) {
        upstream = feedingPart;
    }

    /** Whether nothing tells the end: the topic is fed by another process. */
    boolean isUnknown() {
        return upstream == null;
    }

    /** Returns whether the part's loop is woken for each input. */
    boolean isWoken() {
        return upstream != null && upstream.wakesReader();
    }

    /** Whether the last message is written. */
    boolean isWritten() {
        return upstream != null && upstream.drainedAt() != Upstream.NOT_YET;
    }

    /** The last message was written before a poll, which found this. */
    void polled(boolean nothing) {
        hasFoundNothing = nothing;
    }

    /** Whether there is nothing more to be consumed. */
    boolean isReached(long consumed) {
        if (upstream == null) {
            return true;
        }
        long last = upstream.drainedAt();
        if (consumed != TopicReader.UNKNOWN) {
            return last != Upstream.NOT_YET && consumed >= last;
        }
        return last == 0 || last != Upstream.NOT_YET && hasFoundNothing;
    }
}
