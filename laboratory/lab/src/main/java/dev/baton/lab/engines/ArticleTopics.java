package dev.baton.lab.engines;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * The published loops over Kafka: records whose key is an int that each service raises by one and whose value is the time
 * of the send.
 */
final class ArticleTopics {
    private ArticleTopics() {}

    /** Writes the first topic and reads the last one. Confined to its thread. */
    record Ends(RecordReader<Integer, Long> reader, RecordWriter<Integer, Long> writer) implements Round.Ends {
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
            writer.flush();
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
            try (writer) {
                reader.close();
            }
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
}
