package dev.baton.benchmark.reference;

import dev.baton.benchmark.measure.PayloadPattern;

/** Sends into a chain's first topic, which has room as long as its producer's buffer has. */
final class TopicEntrance implements Entrance, PayloadPattern.Target {
    private final TopicWriter writer;
    private final PayloadPattern pattern;
    private byte[] value; // of the record in the making

    TopicEntrance(TopicWriter writer, PayloadPattern pattern) {
        this.writer = writer;
        this.pattern = pattern;
    }

    @Override
    public void open() {
        writer.open();
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        value = new byte[Header.BYTES + pattern.length()];
        Header.putLong(value, 0, Header.first(tag));
        Header.putLong(value, Header.SEQUENCE, writer.nextSequence());
        Header.putLong(value, Header.ORIGIN, originNanos);
        Header.putLong(value, Header.SENT, System.nanoTime());
        pattern.write(number, this);
        writer.send(value);
        return true;
    }

    @Override
    public void putLong(int index, long number) {
        Header.putLong(value, Header.BYTES + index, number);
    }

    @Override
    public void putByte(int index, byte number) {
        value[Header.BYTES + index] = number;
    }

    @Override
    public void close() {
        writer.close();
    }
}
