package dev.baton.benchmark.reference;

import dev.baton.benchmark.measure.PayloadPattern;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;

/** Appends to a chain's first queue, which always has room. */
final class QueueEntrance implements Entrance, PayloadPattern.Target {
    private final ChronicleQueue queue;
    private final PayloadPattern pattern;
    private ExcerptAppender appender;
    private Bytes<?> bytes; // of the open document
    private long sequence;

    QueueEntrance(ChronicleQueue queue, PayloadPattern pattern) {
        this.queue = queue;
        this.pattern = pattern;
    }

    @Override
    public void open() {
        appender = queue.createAppender();
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        try (DocumentContext document = appender.writingDocument()) {
            bytes = document.wire().bytes();
            bytes.writeLong(Header.first(tag));
            bytes.writeLong(++sequence);
            bytes.writeLong(0);
            bytes.writeLong(originNanos);
            bytes.writeLong(System.nanoTime());
            pattern.write(number, this);
        }
        return true;
    }

    /** Comes in order, so the index need not be looked at. */
    @Override
    public void putLong(int index, long value) {
        bytes.writeLong(value);
    }

    @Override
    public void putByte(int index, byte value) {
        bytes.writeByte(value);
    }

    @Override
    public void close() {
        if (appender != null) {
            appender.close();
        }
    }
}
