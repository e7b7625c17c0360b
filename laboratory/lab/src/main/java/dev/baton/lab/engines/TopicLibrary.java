package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;

/**
 * The reference over Apache Kafka: a producer and a consumer for each service, on its thread; or the published loops.
 *
 * @param administration makes and removes the topics, with its admin client
 * @param isRound whether it runs the published loops
 * @param topics those that it has made
 */
record TopicLibrary(
        ClientConfigs configs,
        Pause pause,
        Transport administration,
        PollWait polls,
        boolean isRound,
        List<String> topics)
        implements ReferenceRig.Library {
    TopicLibrary(Settings settings, Pause pause, Transport administration, PollWait polls, boolean isRound) {
        this(new ClientConfigs(settings), pause, administration, polls, isRound, new ArrayList<>());
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "the brokers' page cache, for records that they confirmed");
        properties.put(
                "acknowledgement",
                configs.acknowledgement + "; offsets are committed every 5 s, also of messages whose outputs are not"
                        + " confirmed yet: a crash may lose");
        properties.put("batching", "one message for each record; " + configs.batching);
        properties.put(
                "copies",
                isRound
                        ? "an Integer and a Long for each service on the heap, and those of the clients"
                        : "one for each service on the heap, and those of the clients; the bytes of Baton's frame in a"
                                + " record's value");
        properties.put(
                "configuration",
                "a producer and a consumer for each service, " + (isRound ? "<Integer, Long> records, " : "")
                        + "partitions assigned, otherwise defaults" + configs.unused);
        return properties;
    }

    @Override
    public String rest() {
        return (polls.isOnlyWait() ? "call " : pause + " between calls of ") + polls;
    }

    @Override
    public void createTopics(List<String> names) {
        topics.addAll(names);
        administration.createTopics(names);
    }

    @Override
    public List<Stage> stages(ChainEnds ends, List<String> names) {
        String first = names.get(0);
        RecordReader.Source last = source(names.get(names.size() - 1));
        if (isRound) {
            Stage.Inlet inlet = new ArticleInlet(configs, first);
            return Stage.chain(
                    names,
                    new Round(ends, inlet, sink -> new ArticleExit(last, sink), last.pause()),
                    (from, to) -> new ArticleService(source(from), to),
                    null);
        }
        return Stage.chain(
                names,
                new Stage.Feeding(ends.generator(), new Inlet(configs, first, ends.pattern()), pause),
                (from, to) -> new Relay(source(from), to),
                new Exit(last, ends.receiver()));
    }

    private RecordReader.Source source(String topic) {
        return new RecordReader.Source(
                configs, new TopicPartition(topic, 0), polls.duration(), polls.isOnlyWait() ? null : pause);
    }

    /** Deletes the topics; the offsets committed for them go with them. */
    @Override
    public void close() {
        if (!topics.isEmpty()) {
            administration.deleteTopics(topics);
            topics.clear();
        }
    }

    /** Sends into a chain's first topic, which has room as long as its producer's buffer has. */
    private static final class Inlet extends RecordWriter<byte[], byte[]> implements Stage.Inlet {
        private final PayloadPattern pattern;
        private long sequence;

        Inlet(ClientConfigs configs, String topic, PayloadPattern pattern) {
            super(configs, topic, Serdes.ByteArray(), Serdes.ByteArray());
            this.pattern = pattern;
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            byte[] value = new byte[Header.BYTES + pattern.length()];
            Header.putLong(value, 0, Header.first(tag));
            Header.putLong(value, Header.SEQUENCE, ++sequence);
            Header.putLong(value, Header.ORIGIN, originNanos);
            Header.putLong(value, Header.SENT, System.nanoTime());
            pattern.write(number, value, Header.BYTES);
            send(null, value);
            return true;
        }
    }

    /** A service that copies frames. */
    private static final class Relay extends RecordReader.Relaying<byte[], byte[]> {
        private long sequence;

        Relay(Source from, String to) {
            super(from, to, Serdes.ByteArray(), Serdes.ByteArray());
        }

        @Override
        void take(ConsumerRecord<byte[], byte[]> record) {
            byte[] out = record.value().clone();
            Header.putLong(out, 0, Header.getLong(out, 0) + Header.ONE_HOP);
            Header.putLong(out, Header.CAUSE, Header.getLong(out, Header.SEQUENCE));
            Header.putLong(out, Header.SEQUENCE, ++sequence);
            writer.send(null, out);
        }
    }

    /** Takes the messages from a chain's last topic. */
    private static final class Exit extends RecordReader<byte[], byte[]> implements PayloadPattern.Origin {
        private final MessageSink sink;
        private byte[] value; // of the record at hand

        Exit(Source source, MessageSink sink) {
            super(source, Serdes.ByteArray(), Serdes.ByteArray());
            this.sink = sink;
        }

        @Override
        void take(ConsumerRecord<byte[], byte[]> record) {
            value = record.value();
            long first = Header.getLong(value, 0);
            sink.onMessage(
                    Header.getLong(value, Header.ORIGIN),
                    Header.tag(first),
                    Header.hops(first),
                    value.length - Header.BYTES,
                    this);
        }

        @Override
        public void copyTo(byte[] target, int length) {
            System.arraycopy(value, Header.BYTES, target, 0, length);
        }
    }

    /** Of the published loops: the key is an int that each service raises by one, the value the time of the send. */
    private static final class ArticleInlet extends RecordWriter<Integer, Long> implements Stage.Inlet {
        ArticleInlet(ClientConfigs configs, String topic) {
            super(configs, topic, Serdes.Integer(), Serdes.Long());
        }

        @Override
        public boolean trySend(long number, long stampNanos, int tag) {
            send(0, stampNanos);
            return true;
        }
    }

    /** A service: raises the key of each record by one. */
    private static final class ArticleService extends RecordReader.Relaying<Integer, Long> {
        ArticleService(Source from, String to) {
            super(from, to, Serdes.Integer(), Serdes.Long());
        }

        @Override
        void take(ConsumerRecord<Integer, Long> record) {
            writer.send(record.key() + 1, record.value());
        }
    }

    /** Takes the messages from the last topic, within a round. */
    private static final class ArticleExit extends RecordReader<Integer, Long> {
        private final MessageSink sink;

        ArticleExit(Source source, MessageSink sink) {
            super(source, Serdes.Integer(), Serdes.Long());
            this.sink = sink;
        }

        @Override
        void take(ConsumerRecord<Integer, Long> record) {
            sink.onMessage(record.value(), 0, record.key(), 0, Round.NO_PAYLOAD);
        }
    }
}
