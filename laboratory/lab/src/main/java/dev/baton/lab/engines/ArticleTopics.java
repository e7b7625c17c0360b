package dev.baton.lab.engines;

import dev.baton.measuring.rig.MessageSink;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The published loops over Kafka: records whose key is an int that each service raises by one and whose value is the time
 * of the send.
 */
final class ArticleTopics {
    private ArticleTopics() {}

    /** Sends the time of a send. */
    static final class Inlet extends TopicLibrary.Sending<Integer, Long> {
        Inlet(RecordWriter<Integer, Long> writer) {
            super(writer);
        }

        @Override
        public boolean trySend(long number, long stampNanos, int tag) {
            writer.send(0, stampNanos);
            return true;
        }
    }

    /** A service: raises the key of each record by one. */
    static final class Service extends TopicLibrary.Relaying<Integer, Long> {
        Service(RecordReader<Integer, Long> reader, RecordWriter<Integer, Long> writer, Pause pause) {
            super(reader, writer, pause);
        }

        @Override
        void take(ConsumerRecord<Integer, Long> record) {
            writer.send(record.key() + 1, record.value());
        }
    }

    /** Takes the messages from the last topic, within a round. */
    static final class Exit extends TopicLibrary.Reading<Integer, Long> {
        private final MessageSink sink;

        Exit(RecordReader<Integer, Long> reader, MessageSink sink) {
            super(reader, null);
            this.sink = sink;
        }

        @Override
        void take(ConsumerRecord<Integer, Long> record) {
            sink.onMessage(record.value(), 0, record.key(), 0, Round.NO_PAYLOAD);
        }
    }
}
