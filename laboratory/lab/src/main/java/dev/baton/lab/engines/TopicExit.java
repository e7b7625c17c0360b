package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.MessageSink;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** Takes the messages from a chain's last topic. */
final class TopicExit extends TurningStage implements PayloadPattern.Origin {
    private final TopicReader reader;
    private final MessageSink sink;
    private byte[] value; // of the record at hand

    TopicExit(TopicReader reader, MessageSink sink, Pause pause) {
        super(pause);
        this.reader = reader;
        this.sink = sink;
    }

    @Override
    public void open() {
        reader.open();
    }

    @Override
    boolean turn() {
        ConsumerRecords<byte[], byte[]> records = reader.poll();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            value = record.value();
            long first = Header.getLong(value, 0);
            sink.onMessage(
                    Header.getLong(value, Header.ORIGIN),
                    Header.tag(first),
                    Header.hops(first),
                    value.length - Header.BYTES,
                    this);
        }
        return !records.isEmpty();
    }

    @Override
    public void copyTo(byte[] target, int length) {
        System.arraycopy(value, Header.BYTES, target, 0, length);
    }

    @Override
    boolean hasTakenAll() {
        return reader.isAtEnd();
    }

    @Override
    public void close() {
        reader.close();
    }
}
