package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;

/** Sends into a chain's first topic, which has room as long as its producer's buffer has. */
final class TopicInlet implements EngineInlet {
    private final TopicWriter writer;
    private final PayloadPattern pattern;

    TopicInlet(TopicWriter writer, PayloadPattern pattern) {
        this.writer = writer;
        this.pattern = pattern;
    }

    @Override
    public void open() {
        writer.open();
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        byte[] value = new byte[Header.BYTES + pattern.length()];
        Header.putLong(value, 0, Header.first(tag));
        Header.putLong(value, Header.SEQUENCE, writer.nextSequence());
        Header.putLong(value, Header.ORIGIN, originNanos);
        Header.putLong(value, Header.SENT, System.nanoTime());
        pattern.write(number, value, Header.BYTES);
        writer.send(value);
        return true;
    }

    @Override
    public boolean isStored() {
        return writer.isStored();
    }

    @Override
    public void close() {
        writer.close();
    }
}
