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
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The reference over Apache Kafka: a producer and a consumer for each service, on its thread. */
final class TopicLibrary implements ReferenceRig.Library {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

    private final ClientConfigs configs;
    private final Pause pause;
    private final Transport administration;
    private final PollWait wait;
    private final List<String> topics = new ArrayList<>();

    /** @param administration makes and removes the topics, with its admin client */
    TopicLibrary(Settings settings, Pause pause, Transport administration, PollWait wait) {
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
                "one for each service on the heap, and those of the clients; the bytes of Baton's frame in a record's"
                        + " value");
        properties.put(
                "configuration",
                "a producer and a consumer for each service, partitions assigned, otherwise defaults" + configs.unused);
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
        List<Stage> stages = new ArrayList<>();
        stages.add(new Stage.Feeding(ends.generator(), new Inlet(configs, names.get(0), ends.pattern()), pause));
        for (int i = 1; i < names.size(); i++) {
            stages.add(new Relay(configs, names.get(i - 1), names.get(i), wait, after));
        }
        stages.add(new Exit(configs, names.get(names.size() - 1), wait, ends.receiver(), after));
        return stages;
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
    private static final class Inlet extends Writer implements Stage.Inlet {
        private final PayloadPattern pattern;

        Inlet(ClientConfigs configs, String topic, PayloadPattern pattern) {
            super(configs, topic);
            this.pattern = pattern;
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            byte[] value = new byte[Header.BYTES + pattern.length()];
            Header.putLong(value, 0, Header.first(tag));
            Header.putLong(value, Header.SEQUENCE, nextSequence());
            Header.putLong(value, Header.ORIGIN, originNanos);
            Header.putLong(value, Header.SENT, System.nanoTime());
            pattern.write(number, value, Header.BYTES);
            send(value);
            return true;
        }
    }

    /** A consumer with its topic, turned by the thread that opens it. */
    private abstract static class Reader extends Stage.Turning {
        private final ClientConfigs configs;
        private final String topic;
        private final Duration wait;
        private KafkaConsumer<byte[], byte[]> consumer;

        Reader(ClientConfigs configs, String topic, PollWait wait, Pause pause) {
            super(pause);
            this.configs = configs;
            this.topic = topic;
            this.wait = wait.duration();
        }

        /** Blocks until the consumer knows where it begins. */
        @Override
        public void open() {
            consumer = new KafkaConsumer<>(
                    configs.consumer(topic), new ByteArrayDeserializer(), new ByteArrayDeserializer());
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.position(partition);
        }

        @Override
        final boolean turn() {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(wait);
            for (ConsumerRecord<byte[], byte[]> record : records) {
                take(record.value());
            }
            return !records.isEmpty();
        }

        abstract void take(byte[] value);

        /** Whether what was polled is all that the topic holds. Asks the broker; false where it does not answer. */
        @Override
        final boolean hasTakenAll() {
            TopicPartition partition = new TopicPartition(topic, 0);
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
    private static final class Relay extends Reader {
        private final Writer writer;

        Relay(ClientConfigs configs, String from, String to, PollWait wait, Pause pause) {
            super(configs, from, wait, pause);
            writer = new Writer(configs, to);
        }

        @Override
        public void open() {
            writer.open();
            super.open();
        }

        @Override
        void take(byte[] in) {
            byte[] out = in.clone();
            Header.putLong(out, 0, Header.getLong(in, 0) + Header.ONE_HOP);
            Header.putLong(out, Header.SEQUENCE, writer.nextSequence());
            Header.putLong(out, Header.CAUSE, Header.getLong(in, Header.SEQUENCE));
            writer.send(out);
        }

        @Override
        public boolean isStored() {
            return writer.isStored();
        }

        @Override
        public void close() {
            try {
                super.close();
            } finally {
                writer.close();
            }
        }
    }

    /** Takes the messages from a chain's last topic. */
    private static final class Exit extends Reader implements PayloadPattern.Origin {
        private final MessageSink sink;
        private byte[] value; // of the record at hand

        Exit(ClientConfigs configs, String topic, PollWait wait, MessageSink sink, Pause pause) {
            super(configs, topic, wait, pause);
            this.sink = sink;
        }

        @Override
        void take(byte[] taken) {
            value = taken;
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

    /** One producer with its topic. Confined to the thread that opens it, but for the callback. */
    private static class Writer implements Callback {
        private final ClientConfigs configs;
        private final String topic;
        private KafkaProducer<byte[], byte[]> producer;
        private long sequence;
        private volatile Exception failure;

        Writer(ClientConfigs configs, String topic) {
            this.configs = configs;
            this.topic = topic;
        }

        /** Blocks until the topic's leader is known, or the first send would. */
        public void open() {
            producer =
                    new KafkaProducer<>(configs.producer(topic), new ByteArraySerializer(), new ByteArraySerializer());
            producer.partitionsFor(topic);
        }

        /** The sequence of the next message. */
        long nextSequence() {
            return ++sequence;
        }

        /**
         * Sends a message that nobody changes any more. Blocks while the producer's buffer is full.
         *
         * @throws IllegalStateException when an earlier one was not confirmed
         */
        void send(byte[] value) {
            if (failure != null) {
                throw new IllegalStateException("a record for " + topic + " was not stored: " + failure, failure);
            }
            producer.send(new ProducerRecord<>(topic, value), this);
        }

        @Override
        public void onCompletion(RecordMetadata metadata, Exception refused) {
            if (refused != null) {
                failure = refused;
            }
        }

        /** Whether every message that was sent is confirmed. After {@link #close}, which refuses what is not in time. */
        public boolean isStored() {
            return failure == null;
        }

        public void close() {
            if (producer != null) {
                producer.close(CLOSE_LIMIT);
            }
        }
    }
}
