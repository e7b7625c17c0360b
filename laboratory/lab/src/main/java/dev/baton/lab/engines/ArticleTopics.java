package dev.baton.lab.engines;

import dev.baton.measuring.rig.MessageSink;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;

/**
 * The published loops over Kafka: records whose key is an int that each service raises by one and whose value is the time
 * of the send.
 */
final class ArticleTopics {
    private ArticleTopics() {}

    static RecordWriter<Integer, Long> writer(ClientConfigs configs, String topic) {
        return new RecordWriter<>(configs, topic, new IntegerSerializer(), new LongSerializer());
    }

    /** Sends the time of a send. */
    static final class Inlet extends RecordWriter<Integer, Long> implements Stage.Inlet {
        Inlet(ClientConfigs configs, String topic) {
            super(configs, topic, new IntegerSerializer(), new LongSerializer());
        }

        @Override
        public boolean trySend(long number, long stampNanos, int tag) {
            send(0, stampNanos);
            return true;
        }
    }

    /** A service: raises the key of each record by one. */
    static final class Service extends RecordReader.Relaying<Integer, Long> {
        Service(Source source, RecordWriter<Integer, Long> writer) {
            super(source, new IntegerDeserializer(), new LongDeserializer(), writer);
        }

        @Override
        void take(ConsumerRecord<Integer, Long> record) {
            writer.send(record.key() + 1, record.value());
        }
    }

    /** Takes the messages from the last topic, within a round. */
    static final class Exit extends RecordReader<Integer, Long> {
        private final MessageSink sink;

        Exit(Source source, MessageSink sink) {
            super(source, new IntegerDeserializer(), new LongDeserializer());
            this.sink = sink;
        }

        @Override
        void take(ConsumerRecord<Integer, Long> record) {
            sink.onMessage(record.value(), 0, record.key(), 0, Round.NO_PAYLOAD);
        }
    }
}
