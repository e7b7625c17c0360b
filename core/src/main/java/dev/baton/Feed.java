package dev.baton;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicWriter;

/** Drives a {@link Source} into a chain's first topic. Confined to its loop. */
final class Feed extends Part {
    private final String topic;
    private final Source source;
    private final ChainState state;
    private WriterOutlet outlet;

    Feed(String topic, Source source, ChainState state) {
        this.topic = topic;
        this.source = source;
        this.state = state;
    }

    @Override
    void open(Connection connection) {
        outlet = new WriterOutlet(connection.openWriter(topic), 0);
    }

    @Override
    int doWork() {
        if (state.isClosing()) {
            return 0;
        }
        outlet.beginBatch();
        outlet.beginSourceTick();
        try {
            int sent = source.onTick(outlet);
            outlet.end();
            return sent;
        } catch (Exception failure) {
            throw new IllegalStateException("the source of topic " + topic + " failed: " + failure, failure);
        } finally {
            outlet.abortOpenClaim();
            outlet.writer().flush();
        }
    }

    @Override
    long deadlineNanos() {
        return source.deadlineNanos();
    }

    @Override
    TopicWriter writer() {
        return outlet.writer();
    }

    @Override
    boolean isDrained() {
        return outlet.writer().storedSequence() == outlet.writer().sequence();
    }

    @Override
    void close() {
        if (outlet != null) {
            outlet.writer().close();
        }
    }
}
