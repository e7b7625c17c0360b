package dev.baton.operations.replay;

import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The transport of a replayed service: the reader of its input reads the recording, the writer of its output stages outputs for the
 * comparison. Its other topics are empty, and what it writes to them is dropped: dead letters, snapshots of keyed state, and messages that
 * are set aside, which the service's part keeps in memory as well. Nothing is stored. Confined to the replay's thread.
 *
 * @param input the topic that the service reads
 * @param output the topic that the service writes
 */
record RecordedTransport(int maxPayload, String input, TopicReader inputs, String output, TopicWriter outputs)
        implements Transport, Connection {
    private static final TopicReader EMPTY = new TopicReader() {
        @Override
        public int poll(FrameHandler handler, int limit) {
            return 0;
        }

        @Override
        public void acknowledge(long position) {}

        @Override
        public void close() {}
    };

    @Override
    public String name() {
        return "replay";
    }

    /** {@return the guarantees of a transport over which a chain runs in parts} */
    @Override
    public Set<Guarantee> guarantees() {
        return EnumSet.of(Guarantee.IMMEDIATE, Guarantee.CROSS_PROCESS, Guarantee.DURABLE);
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    @Override
    public Connection connect() {
        return this;
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        return Set.of();
    }

    @Override
    public Set<String> topics() {
        return Set.of();
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        throw new TransportException("a replay deletes nothing");
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        return Opening.atOnce(() -> topic.equals(output) ? outputs : new StagedOutputs(StagedOutputs::clear));
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        return Opening.atOnce(() -> topic.equals(input) ? inputs : EMPTY);
    }

    @Override
    public void close() {}
}
