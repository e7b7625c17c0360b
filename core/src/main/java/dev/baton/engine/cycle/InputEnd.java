package dev.baton.engine.cycle;

import dev.baton.engine.chain.ChainState;
import dev.baton.spi.TopicReader;
import java.util.function.LongSupplier;

/**
 * The end of a part's input once its chain is closing: the last message of the upstream part. Confined to its part's loop,
 * except for {@link #follow}.
 */
public final class InputEnd {
    /**
     * The end of an input that another chain writes: the last frame that the topic held when this chain began to close, as far
     * as the transport reports it.
     */
    private static final class ForeignEnd implements Upstream {
        private final ChainState state;
        private final TopicReader reader;
        private final LongSupplier consumed;
        private long end = NOT_YET;

        /**
         * Creates the end of a topic that another chain feeds.
         *
         * @param consumed returns the sequence of the last input consumed
         */
        ForeignEnd(ChainState state, TopicReader reader, LongSupplier consumed) {
            this.state = state;
            this.reader = reader;
            this.consumed = consumed;
        }

        @Override
        public long drainedAt() {
            if (!state.isClosing()) {
                return NOT_YET;
            }
            long backlog = reader.backlog();
            if (backlog > 0 && consumed.getAsLong() == TopicReader.UNKNOWN) {
                return NOT_YET; // later sequences are known once the first input is consumed
            }
            long last = Math.max(0, consumed.getAsLong());
            if (backlog <= 0) {
                end = end == NOT_YET ? last : Math.min(end, last); // a backlog may count records that are not frames
            } else if (end == NOT_YET) {
                end = last + backlog;
            }
            return end;
        }
    }

    private Upstream upstream; // null if another process feeds the topic
    private boolean isAwaited;
    private boolean hasFoundNothing; // since the last input was written; used if the sequences are not known

    /** Sets the part that feeds the input topic. */
    public void follow(Upstream feedingPart) {
        upstream = feedingPart;
    }

    /**
     * Sets that another chain feeds the input topic.
     *
     * @param consumed returns the sequence of the last input consumed
     */
    void followForeign(ChainState state, TopicReader reader, LongSupplier consumed) {
        follow(new ForeignEnd(state, reader, consumed));
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
