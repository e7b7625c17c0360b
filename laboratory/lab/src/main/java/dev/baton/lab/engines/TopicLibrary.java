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
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;

/** The reference over Apache Kafka: a producer and a consumer for each service, on its thread; or the published loops. */
final class TopicLibrary implements ReferenceRig.Library {
    private final ClientConfigs configs;
    private final Pause pause;
    private final Transport administration;
    private final PollWait wait;
    private final boolean isArticle;
    private final List<String> topics = new ArrayList<>();

    /**
     * Reads its configurations.
     *
     * @param administration makes and removes the topics, with its admin client
     * @param isArticle whether it runs the published loops
     */
    TopicLibrary(Settings settings, Pause pause, Transport administration, PollWait wait, boolean isArticle) {
        this.isArticle = isArticle;
        this.configs = new ClientConfigs(settings);
        this.pause = pause;
        this.administration = administration;
        this.wait = wait;
    }

    @Override
    public Pause pause() {
        return pause;
    }

    @Override
    public boolean isRound() {
        return isArticle;
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
                isArticle
                        ? "an Integer and a Long for each service on the heap, and those of the clients"
                        : "one for each service on the heap, and those of the clients; the bytes of Baton's frame in a"
                                + " record's value");
        properties.put(
                "configuration",
                "a producer and a consumer for each service, " + (isArticle ? "<Integer, Long> records, " : "")
                        + "partitions assigned, otherwise defaults" + configs.unused);
        return properties;
    }

    @Override
    public String rest() {
        return (wait.isOnlyWait() ? "call " : pause + " between calls of ") + wait;
    }

    @Override
    public void createTopics(List<String> names) {
        topics.addAll(names);
        administration.createTopics(names);
    }

    @Override
    public List<Stage> stages(ChainEnds ends, List<String> names) {
        Pause after = wait.isOnlyWait() ? null : pause;
        String first = names.get(0);
        String last = names.get(names.size() - 1);
        if (isArticle) {
            Stage.Inlet inlet = new ArticleTopics.Inlet(articleWriter(first));
            return Stage.chain(
                    names,
                    new Round(ends, inlet, sink -> new ArticleTopics.Exit(articleReader(last), sink), after),
                    (from, to) -> new ArticleTopics.Service(articleReader(from), articleWriter(to), after),
                    null);
        }
        return Stage.chain(
                names,
                new Stage.Feeding(ends.generator(), new Inlet(writer(first), ends.pattern()), pause),
                (from, to) -> new Relay(reader(from), writer(to), after),
                new Exit(reader(last), ends.receiver(), after));
    }

    private RecordReader<byte[], byte[]> reader(String topic) {
        return new RecordReader<>(configs, topic, wait, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private RecordWriter<byte[], byte[]> writer(String topic) {
        return new RecordWriter<>(configs, topic, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private RecordReader<Integer, Long> articleReader(String topic) {
        return new RecordReader<>(configs, topic, wait, new IntegerDeserializer(), new LongDeserializer());
    }

    private RecordWriter<Integer, Long> articleWriter(String topic) {
        return new RecordWriter<>(configs, topic, new IntegerSerializer(), new LongSerializer());
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
    abstract static class Sending<K, V> implements Stage.Inlet {
        final RecordWriter<K, V> writer;

        Sending(RecordWriter<K, V> writer) {
            this.writer = writer;
        }

        @Override
        public void open() {
            writer.open();
        }

        @Override
        public void flush() {
            writer.flush();
        }

        @Override
        public boolean isStored() {
            return writer.isStored();
        }

        @Override
        public void close() {
            writer.close();
        }
    }

    /** Sends frames. */
    private static final class Inlet extends Sending<byte[], byte[]> {
        private final PayloadPattern pattern;
        private long sequence;

        Inlet(RecordWriter<byte[], byte[]> writer, PayloadPattern pattern) {
            super(writer);
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
            writer.send(null, value);
            return true;
        }
    }

    /** A loop over what a consumer gets, turned by the thread that opens it. */
    abstract static class Reading<K, V> extends Stage.Turning {
        private final RecordReader<K, V> reader;

        Reading(RecordReader<K, V> reader, Pause pause) {
            super(pause);
            this.reader = reader;
        }

        @Override
        public void open() {
            reader.open();
        }

        @Override
        final boolean turn() {
            ConsumerRecords<K, V> records = reader.poll();
            for (ConsumerRecord<K, V> record : records) {
                take(record);
            }
            return !records.isEmpty();
        }

        abstract void take(ConsumerRecord<K, V> record);

        @Override
        final boolean hasTakenAll() {
            return reader.hasTakenAll();
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    /** A service: sends what it consumes to the next topic, one record each. */
    abstract static class Relaying<K, V> extends Reading<K, V> {
        final RecordWriter<K, V> writer;

        Relaying(RecordReader<K, V> reader, RecordWriter<K, V> writer, Pause pause) {
            super(reader, pause);
            this.writer = writer;
        }

        @Override
        public void open() {
            writer.open();
            super.open();
        }

        @Override
        public boolean isStored() {
            return writer.isStored();
        }

        @Override
        public void close() {
            try (writer) {
                super.close();
            }
        }
    }

    /** A service that copies frames. */
    private static final class Relay extends Relaying<byte[], byte[]> {
        private long sequence;

        Relay(RecordReader<byte[], byte[]> reader, RecordWriter<byte[], byte[]> writer, Pause pause) {
            super(reader, writer, pause);
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
    private static final class Exit extends Reading<byte[], byte[]> implements PayloadPattern.Origin {
        private final MessageSink sink;
        private byte[] value; // of the record at hand

        Exit(RecordReader<byte[], byte[]> reader, MessageSink sink, Pause pause) {
            super(reader, pause);
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
}
