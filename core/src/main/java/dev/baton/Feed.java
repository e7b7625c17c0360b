package dev.baton;

import dev.baton.run.Environment;
import dev.baton.run.Loop;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicWriter;
import java.util.function.BooleanSupplier;

/** Drives a {@link Source} into a chain's first topic. Confined to its loop. */
final class Feed extends Part {
    private final String topic;
    private final Source source;
    private final BooleanSupplier owesMore;
    private final ChainState state;
    private final Writers writers;
    private final Environment environment;
    private Loop reader; // null: it shares this loop, or runs elsewhere
    private WriterOutlet outlet;

    /** Of a source that owes nobody anything: it is not asked again once the chain is closing. */
    Feed(String topic, Source source, ChainState state, Writers writers) {
        this(topic, source, () -> false, state, writers);
    }

    /**
     * Of a source that has taken messages over.
     *
     * @param owesMore whether it still holds some: then it is asked on while the chain is closing
     */
    Feed(String topic, Source source, BooleanSupplier owesMore, ChainState state, Writers writers) {
        this.topic = topic;
        this.source = source;
        this.owesMore = owesMore;
        this.state = state;
        this.writers = writers;
        this.environment = state.environment();
    }

    /** Says which other loop reads the topic, so that it is woken. Before it is opened. */
    void wakes(Loop readingLoop) {
        reader = readingLoop;
    }

    @Override
    void open(Connection connection) {
        outlet = new WriterOutlet(writers.open(connection, topic), 0, environment, writers.isDated());
    }

    @Override
    int doWork() {
        if (drainedAt() != NOT_YET || (state.isClosing() && !owesMore.getAsBoolean())) {
            return 0;
        }
        long before = outlet.writer().sequence();
        outlet.beginBatch();
        outlet.beginSource();
        try {
            int sent = source.onTick(outlet);
            outlet.end();
            return sent;
        } catch (Exception failure) {
            throw new IllegalStateException("the source of topic " + topic + " failed: " + failure, failure);
        } finally {
            outlet.abortOpenClaim();
            outlet.writer().flush();
            if (reader != null && outlet.writer().sequence() != before) {
                reader.wake();
            }
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
        return !owesMore.getAsBoolean()
                && outlet.writer().storedSequence() == outlet.writer().sequence();
    }

    @Override
    PartStatus status() {
        TopicWriter writer = outlet.writer();
        return new PartStatus(PartStatus.SOURCE, null, 0, 0, topic, writer.sequence(), writer.storedSequence(), 0);
    }

    @Override
    void close() {
        if (outlet != null) {
            outlet.writer().close();
        }
    }
}
