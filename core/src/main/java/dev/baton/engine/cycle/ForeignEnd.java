package dev.baton.engine.cycle;

import dev.baton.engine.chain.ChainState;
import dev.baton.spi.TopicReader;
import java.util.function.LongSupplier;

/**
 * The end of an input that another chain writes: the last frame that the topic held when this chain began to close, as far
 * as the transport reports it. Confined to its part's loop.
 */
final class ForeignEnd implements Upstream {
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
