package dev.baton.lab.engines;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** A service: sends what it consumes to the next topic, one record each. */
final class TopicRelay extends TurningStage {
    private final TopicReader reader;
    private final TopicWriter writer;

    TopicRelay(TopicReader reader, TopicWriter writer, Pause pause) {
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
        ConsumerRecords<byte[], byte[]> records = reader.poll();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            writer.send(passedOn(record.value()));
        }
        return !records.isEmpty();
    }

    private byte[] passedOn(byte[] in) {
        byte[] out = in.clone();
        Header.putLong(out, 0, Header.getLong(in, 0) + Header.ONE_HOP);
        Header.putLong(out, Header.SEQUENCE, writer.nextSequence());
        Header.putLong(out, Header.CAUSE, Header.getLong(in, Header.SEQUENCE));
        return out;
    }

    @Override
    boolean hasTakenAll() {
        return reader.isAtEnd();
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
