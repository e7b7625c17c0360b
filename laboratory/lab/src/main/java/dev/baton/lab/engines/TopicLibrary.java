package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * The reference over Apache Kafka: a producer and a consumer for each service, on its thread; or the published loops.
 *
 * @param administration makes and removes the topics, with its admin client
 * @param isRound whether it runs the published loops
 * @param isKept whether the topics stay when it closes
 * @param topics that it has made and removes
 */
public record TopicLibrary(
        ClientConfigs configs,
        Pause pause,
        Transport administration,
        PollWait polls,
        boolean isRound,
        boolean isKept,
        List<String> topics)
        implements ReferenceRig.Library {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

    /** Creates a library without topics. */
    public TopicLibrary(
            PassedOptions settings,
            Pause pause,
            Transport administration,
            PollWait polls,
            boolean isRound,
            boolean isKept) {
        this(
                isRound ? ClientConfigs.ofTheArticle(settings) : new ClientConfigs(settings),
                pause,
                administration,
                polls,
                isRound,
                isKept,
                new ArrayList<>());
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
        if (!isKept) {
            topics.addAll(names);
        }
        administration.createTopics(names);
    }

    @Override
    public List<ReferenceStage> stages(ChainEnds ends, List<String> names) {
        String first = names.get(0);
        String last = names.get(names.size() - 1);
        if (isRound) {
            ReferenceStage.Inlet inlet = new ArticleInlet(first);
            return ReferenceStage.chain(
                    ends,
                    names,
                    new Round(ends, inlet, sink -> new ArticleExit(last, sink), betweenPolls()),
                    ArticleService::new,
                    null);
        }
        return ReferenceStage.chain(
                ends,
                names,
                new ReferenceStage.Feeding(ends.generator(), new Inlet(first, ends.pattern()), pause),
                Relay::new,
                new Exit(last, ends.receiver()));
    }

    /** Returns the pause between polls; null for none, as polls wait. */
    private Pause betweenPolls() {
        return polls.isOnlyWait() ? null : pause;
    }

    /** Deletes the topics; the offsets committed for them go with them. */
    @Override
    public void close() {
        if (!topics.isEmpty()) {
            administration.deleteTopics(topics);
            topics.clear();
        }
    }

    /** A producer with its topic. Confined to the thread that opens it, but for the callback. */
    private class RecordWriter<K, V> implements Callback, AutoCloseable {
        private final String topic;
        private final Serde<K> keys;
        private final Serde<V> values;
        private KafkaProducer<K, V> producer;
        private volatile Exception failure;

        RecordWriter(String topic, Serde<K> keys, Serde<V> values) {
            this.topic = topic;
            this.keys = keys;
            this.values = values;
        }

        /** Blocks until the topic's leader is known, or the first send would. */
        public void open() {
            producer = new KafkaProducer<>(configs.producer(topic), keys.serializer(), values.serializer());
            producer.partitionsFor(topic);
        }

        /**
         * Sends a message that nobody changes any more. Blocks while the producer's buffer is full.
         *
         * @throws IllegalStateException when an earlier one was not confirmed
         */
        void send(K key, V value) {
            if (failure != null) {
                throw new IllegalStateException("a record for " + topic + " was not stored: " + failure, failure);
            }
            producer.send(new ProducerRecord<>(topic, key, value), this);
        }

        /** Returns when all that was sent is confirmed or refused. */
        public void flush() {
            producer.flush();
        }

        @Override
        public void onCompletion(RecordMetadata metadata, Exception refused) {
            if (refused != null) {
                failure = refused;
            }
        }

        /** {@return whether every sent message is confirmed} After {@link #close}, which refuses late ones. */
        public boolean isStored() {
            return failure == null;
        }

        @Override
        public void close() {
            if (producer != null) {
                producer.close(CLOSE_LIMIT);
            }
        }
    }

    /** A loop over what a consumer gets of its topic. Confined to the thread that opens it. */
    private abstract class RecordReader<K, V> extends ReferenceStage.Turning {
        private final TopicPartition partition;
        private final Serde<K> keys;
        private final Serde<V> values;
        private KafkaConsumer<K, V> consumer;

        RecordReader(String topic, Serde<K> keys, Serde<V> values) {
            super(betweenPolls());
            partition = new TopicPartition(topic, 0);
            this.keys = keys;
            this.values = values;
        }

        /** Blocks until the consumer knows where it begins. */
        @Override
        public void open() {
            consumer = new KafkaConsumer<>(
                    configs.consumer(partition.topic()), keys.deserializer(), values.deserializer());
            consumer.assign(List.of(partition));
            consumer.position(partition);
        }

        @Override
        final boolean turn() {
            ConsumerRecords<K, V> records = consumer.poll(polls.duration());
            for (ConsumerRecord<K, V> record : records) {
                take(record);
            }
            return !records.isEmpty();
        }

        abstract void take(ConsumerRecord<K, V> record);

        /** {@return whether all messages of the topic were polled} Reads from the broker; false without a response. */
        @Override
        final boolean hasTakenAll() {
            try {
                return consumer.position(partition, ANSWER_LIMIT)
                        >= consumer.endOffsets(List.of(partition), ANSWER_LIMIT).get(partition);
            } catch (TimeoutException silent) {
                return false;
            }
        }

        @Override
        public void close() {
            if (consumer != null) {
                consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
            }
        }
    }

    /** A service: sends what it consumes to the next topic, one record each. */
    private abstract class Relaying<K, V> extends RecordReader<K, V> {
        final RecordWriter<K, V> writer;
        private final Runnable work;

        Relaying(String from, String to, Runnable work, Serde<K> keys, Serde<V> values) {
            super(from, keys, values);
            writer = new RecordWriter<>(to, keys, values);
            this.work = work;
        }

        @Override
        final void take(ConsumerRecord<K, V> record) {
            work.run();
            pass(record);
        }

        /** Sends the output for a record. */
        abstract void pass(ConsumerRecord<K, V> record);

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

    /** Sends into a chain's first topic, which has room as long as its producer's buffer has. */
    private final class Inlet extends RecordWriter<byte[], byte[]> implements ReferenceStage.Inlet {
        private final PayloadPattern pattern;
        private long sequence;

        Inlet(String topic, PayloadPattern pattern) {
            super(topic, Serdes.ByteArray(), Serdes.ByteArray());
            this.pattern = pattern;
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            send(null, Header.message(++sequence, number, originNanos, tag, pattern));
            return true;
        }
    }

    /** A service that copies frames. */
    private final class Relay extends Relaying<byte[], byte[]> {
        private long sequence;

        Relay(String from, String to, Runnable work) {
            super(from, to, work, Serdes.ByteArray(), Serdes.ByteArray());
        }

        @Override
        void pass(ConsumerRecord<byte[], byte[]> record) {
            byte[] out = record.value().clone();
            Header.putLong(out, 0, Header.getLong(out, 0) + Header.ONE_HOP);
            Header.putLong(out, Header.CAUSE, Header.getLong(out, Header.SEQUENCE));
            Header.putLong(out, Header.SEQUENCE, ++sequence);
            writer.send(null, out);
        }
    }

    /** Takes the messages from a chain's last topic. */
    private final class Exit extends RecordReader<byte[], byte[]> implements PayloadPattern.Origin {
        private final MessageSink sink;
        private byte[] value; // of the record at hand

        Exit(String topic, MessageSink sink) {
            super(topic, Serdes.ByteArray(), Serdes.ByteArray());
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

    /** The inlet of the published loops: the key is an int that each service increments, the value the time of the send. */
    private final class ArticleInlet extends RecordWriter<Integer, Long> implements ReferenceStage.Inlet {
        ArticleInlet(String topic) {
            super(topic, Serdes.Integer(), Serdes.Long());
        }

        @Override
        public boolean trySend(long number, long stampNanos, int tag) {
            send(0, stampNanos);
            return true;
        }
    }

    /** A service: raises the key of each record by one. */
    private final class ArticleService extends Relaying<Integer, Long> {
        ArticleService(String from, String to, Runnable work) {
            super(from, to, work, Serdes.Integer(), Serdes.Long());
        }

        @Override
        void pass(ConsumerRecord<Integer, Long> record) {
            writer.send(record.key() + 1, record.value());
        }
    }

    /** Takes the messages from the last topic, within a round. */
    private final class ArticleExit extends RecordReader<Integer, Long> {
        private final MessageSink sink;

        ArticleExit(String topic, MessageSink sink) {
            super(topic, Serdes.Integer(), Serdes.Long());
            this.sink = sink;
        }

        @Override
        void take(ConsumerRecord<Integer, Long> record) {
            sink.onMessage(record.value(), 0, record.key(), 0, Round.NO_PAYLOAD);
        }
    }
}
