package dev.baton.lab.engines.cooperative;

import dev.baton.lab.engines.ClientConfigs;
import dev.baton.lab.engines.Header;
import dev.baton.lab.engines.TopicLibrary;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The stages over Apache Kafka: one producer and one consumer for each loop, whatever the number of chains; one message for
 * each record.
 */
final class RecordSteps implements StepLibrary {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final TopicLibrary topics; // makes and removes them
    private final ClientConfigs configs;
    private int loops;

    RecordSteps(TopicLibrary topics) {
        this.topics = topics;
        configs = topics.configs();
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "the brokers' page cache, for records that they confirmed");
        properties.put("acknowledgement", configs.acknowledgement + "; no offset is committed");
        properties.put("batching", "one message for each record; " + configs.batching);
        properties.put("copies", "one for each service on the heap, and those of the clients");
        properties.put(
                "configuration",
                "a producer and a consumer for each loop, partitions assigned, otherwise defaults" + configs.unused);
        return properties;
    }

    @Override
    public void createTopics(List<String> names) {
        topics.createTopics(names);
    }

    @Override
    public boolean needsWake() {
        return false; // a record comes from the broker, which ends the poll
    }

    @Override
    public Io io() {
        return new Clients("cooperative-" + ++loops);
    }

    @Override
    public Chain chain(ChainEnds ends, List<String> names, List<Io> ios) {
        List<LoopStep> steps = new ArrayList<>();
        for (int i = 1; i < names.size(); i++) {
            steps.add(new Relay((Clients) ios.get(i), names.get(i - 1), names.get(i), ends.work(i)));
        }
        steps.add(new Exit((Clients) ios.get(names.size()), names.get(names.size() - 1), ends));
        return new Chain(new Entry((Clients) ios.get(0), names.get(0), ends.pattern()), steps);
    }

    @Override
    public void close() {
        topics.close();
    }

    /** The clients of one loop. Confined to it, except {@link #send} and {@link #wake}. */
    private final class Clients implements Io, Waiting {
        private final KafkaProducer<byte[], byte[]> producer;
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final Map<TopicPartition, Reading> readings = new HashMap<>();
        private ConsumerRecords<byte[], byte[]> waited; // what a wait has got; null for nothing
        private volatile Exception failure;
        private volatile boolean isPolling;

        Clients(String name) {
            producer =
                    new KafkaProducer<>(configs.producer(name), new ByteArraySerializer(), new ByteArraySerializer());
            Map<String, Object> settings = new HashMap<>(configs.consumer(name));
            settings.put("enable.auto.commit", false);
            consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        void read(String topic, Reading reading) {
            readings.put(new TopicPartition(topic, 0), reading);
            consumer.assign(readings.keySet());
            consumer.position(new TopicPartition(topic, 0));
        }

        void send(String topic, byte[] value) {
            producer.send(new ProducerRecord<>(topic, value), (sent, refused) -> {
                if (refused != null) {
                    failure = refused;
                }
            });
        }

        @Override
        public int turn() {
            if (failure != null) {
                throw new IllegalStateException("a record was not stored: " + failure, failure);
            }
            ConsumerRecords<byte[], byte[]> records = waited;
            waited = null;
            if (records == null && !readings.isEmpty()) {
                records = consumer.poll(Duration.ZERO);
            }
            if (records == null || records.isEmpty()) {
                return 0;
            }
            for (TopicPartition partition : records.partitions()) {
                readings.get(partition).records = records.records(partition);
            }
            return records.count();
        }

        @Override
        public Waiting waiting() {
            return this;
        }

        @Override
        public void await(long nanos) {
            if (nanos < NANOS_PER_MILLI || readings.isEmpty()) {
                LockSupport.parkNanos(nanos);
                return;
            }
            isPolling = true;
            try {
                waited = consumer.poll(Duration.ofMillis(nanos / NANOS_PER_MILLI));
            } catch (WakeupException woken) {
                waited = null;
            } finally {
                isPolling = false;
            }
        }

        @Override
        public void wake() {
            if (isPolling) {
                consumer.wakeup();
            }
        }

        @Override
        public boolean isQuiet() {
            producer.flush();
            Map<TopicPartition, Long> ends = consumer.endOffsets(readings.keySet(), ANSWER_LIMIT);
            return waited == null
                    && ends.entrySet().stream()
                            .allMatch(each -> consumer.position(each.getKey(), ANSWER_LIMIT) >= each.getValue());
        }

        @Override
        public void close() {
            producer.close(CLOSE_LIMIT);
            consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
        }
    }

    /** Records of one topic that the loop's consumer has polled. */
    private abstract static class Reading implements LoopStep {
        private final Clients clients;
        private final String topic;
        private List<ConsumerRecord<byte[], byte[]>> records = List.of();

        Reading(Clients clients, String topic) {
            this.clients = clients;
            this.topic = topic;
        }

        @Override
        public void open() {
            clients.read(topic, this);
        }

        @Override
        public int turn() {
            int count = records.size();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                take(record.value());
            }
            records = List.of();
            return count;
        }

        abstract void take(byte[] value);
    }

    /** A service: sends each record's message to the next topic. */
    private static final class Relay extends Reading {
        private final Clients clients;
        private final String to;
        private final Runnable work;
        private long sequence;

        Relay(Clients clients, String from, String to, Runnable work) {
            super(clients, from);
            this.clients = clients;
            this.to = to;
            this.work = work;
        }

        @Override
        void take(byte[] value) {
            work.run();
            byte[] out = value.clone();
            Header.putLong(out, 0, Header.getLong(out, 0) + Header.ONE_HOP);
            Header.putLong(out, Header.CAUSE, Header.getLong(out, Header.SEQUENCE));
            Header.putLong(out, Header.SEQUENCE, ++sequence);
            clients.send(to, out);
        }
    }

    /** Hands each record's message to the receiver. */
    private static final class Exit extends Reading implements PayloadPattern.Origin {
        private final ChainEnds ends;
        private byte[] value; // of the record at hand

        Exit(Clients clients, String from, ChainEnds ends) {
            super(clients, from);
            this.ends = ends;
        }

        @Override
        void take(byte[] received) {
            value = received;
            long first = Header.getLong(value, 0);
            ends.receiver()
                    .onMessage(
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

    /** Sends into a chain's first topic. */
    private static final class Entry implements LoopStep.Entry {
        private final Clients clients;
        private final String topic;
        private final PayloadPattern pattern;
        private long sequence;

        Entry(Clients clients, String topic, PayloadPattern pattern) {
            this.clients = clients;
            this.topic = topic;
            this.pattern = pattern;
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            clients.send(topic, Header.message(++sequence, number, originNanos, tag, pattern));
            return true;
        }

        @Override
        public boolean flush() {
            return true; // the producer sends by itself
        }
    }
}
