package dev.baton.lab.engines;

import dev.baton.measuring.rig.ChainEnds;
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
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;

/**
 * The published loops over Kafka: records whose key is an int that each service raises by one and whose value is the time
 * of the send, a producer and a consumer for each service, and one thread for both ends of a chain.
 */
final class ArticleTopics implements ReferenceRig.Library {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

    private final ClientConfigs configs;
    private final Pause pause;
    private final Transport administration;
    private final PollWait wait;
    private final List<String> topics = new ArrayList<>();

    /** @param administration makes and removes the topics, with its admin client */
    ArticleTopics(Settings settings, Pause pause, Transport administration, PollWait wait) {
        configs = new ClientConfigs(settings);
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
        return true;
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
        properties.put("copies", "an Integer and a Long for each service on the heap, and those of the clients");
        properties.put(
                "configuration",
                "a producer and a consumer for each service, <Integer, Long> records, partitions assigned, otherwise"
                        + " defaults" + configs.unused);
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
        Round.Ends both = new TopicEnds(reader(names.get(names.size() - 1)), new Writer(configs, names.get(0)));
        stages.add(new Round(ends.generator(), ends.receiver(), both, after));
        for (int i = 1; i < names.size(); i++) {
            stages.add(new Service(reader(names.get(i - 1)), new Writer(configs, names.get(i)), after));
        }
        return stages;
    }

    private Reader reader(String topic) {
        return new Reader(configs, topic, wait.duration());
    }

    /** Deletes the topics; the offsets committed for them go with them. */
    @Override
    public void close() {
        if (!topics.isEmpty()) {
            administration.deleteTopics(topics);
            topics.clear();
        }
    }

    /** Writes the first topic and reads the last one. Confined to its thread. */
    private record TopicEnds(Reader reader, Writer writer) implements Round.Ends {
        @Override
        public void open() {
            writer.open();
            reader.open();
        }

        @Override
        public void send(long stampNanos) {
            writer.send(0, stampNanos);
        }

        @Override
        public void flush() {
            writer.producer.flush();
        }

        @Override
        public boolean receive(Round to) {
            ConsumerRecords<Integer, Long> records = reader.poll();
            for (ConsumerRecord<Integer, Long> record : records) {
                to.arrived(record.value(), record.key());
            }
            return !records.isEmpty();
        }

        @Override
        public boolean hasTakenAll() {
            return reader.hasTakenAll();
        }

        @Override
        public boolean isStored() {
            return writer.isStored();
        }

        @Override
        public void close() {
            try {
                reader.close();
            } finally {
                writer.close();
            }
        }
    }

    /** A service: raises the key of each record by one. */
    private static final class Service extends Stage.Turning {
        private final Reader reader;
        private final Writer writer;

        Service(Reader reader, Writer writer, Pause pause) {
            super(pause);
            this.reader = reader;
            this.writer = writer;
        }

        @Override
        public void open() {
            writer.open();
            reader.open();
        }

        @Override
        boolean turn() {
            ConsumerRecords<Integer, Long> records = reader.poll();
            for (ConsumerRecord<Integer, Long> record : records) {
                writer.send(record.key() + 1, record.value());
            }
            return !records.isEmpty();
        }

        @Override
        boolean hasTakenAll() {
            return reader.hasTakenAll();
        }

        @Override
        public boolean isStored() {
            return writer.isStored();
        }

        @Override
        public void close() {
            try {
                reader.close();
            } finally {
                writer.close();
            }
        }
    }

    /** A consumer with its topic. Confined to the thread that opens it. */
    private static final class Reader {
        private final ClientConfigs configs;
        private final String topic;
        private final TopicPartition partition;
        private final Duration wait;
        private KafkaConsumer<Integer, Long> consumer;

        Reader(ClientConfigs configs, String topic, Duration wait) {
            this.configs = configs;
            this.topic = topic;
            this.wait = wait;
            partition = new TopicPartition(topic, 0);
        }

        /** Blocks until the consumer knows where it begins. */
        void open() {
            consumer = new KafkaConsumer<>(configs.consumer(topic), new IntegerDeserializer(), new LongDeserializer());
            consumer.assign(List.of(partition));
            consumer.position(partition);
        }

        ConsumerRecords<Integer, Long> poll() {
            return consumer.poll(wait);
        }

        /** Whether what was polled is all that the topic holds. Asks the broker; false where it does not answer. */
        boolean hasTakenAll() {
            try {
                return consumer.position(partition, ANSWER_LIMIT)
                        >= consumer.endOffsets(List.of(partition), ANSWER_LIMIT).get(partition);
            } catch (TimeoutException silent) {
                return false;
            }
        }

        void close() {
            if (consumer != null) {
                consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
            }
        }
    }

    /** A producer with its topic. Confined to the thread that opens it, but for the callback. */
    private static final class Writer {
        private final ClientConfigs configs;
        private final String topic;
        private KafkaProducer<Integer, Long> producer;
        private volatile Exception failure;

        Writer(ClientConfigs configs, String topic) {
            this.configs = configs;
            this.topic = topic;
        }

        /** Blocks until the topic's leader is known, or the first send would. */
        void open() {
            producer = new KafkaProducer<>(configs.producer(topic), new IntegerSerializer(), new LongSerializer());
            producer.partitionsFor(topic);
        }

        void send(int key, long value) {
            if (failure != null) {
                throw new IllegalStateException("a record for " + topic + " was not stored: " + failure, failure);
            }
            producer.send(new ProducerRecord<>(topic, key, value), (stored, refused) -> {
                if (refused != null) {
                    failure = refused;
                }
            });
        }

        boolean isStored() {
            return failure == null;
        }

        void close() {
            if (producer != null) {
                producer.close(CLOSE_LIMIT);
            }
        }
    }
}
