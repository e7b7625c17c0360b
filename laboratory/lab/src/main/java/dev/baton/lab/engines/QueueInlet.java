package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.PayloadScratch;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;

/** Appends to a chain's first queue, which always has room. */
final class QueueInlet implements EngineInlet {
    private final ChronicleQueue queue;
    private final PayloadPattern pattern;
    private ExcerptAppender appender;
    private byte[] scratch;
    private long sequence;

    QueueInlet(ChronicleQueue queue, PayloadPattern pattern) {
        this.queue = queue;
        this.pattern = pattern;
    }

    @Override
    public void open() {
        appender = queue.createAppender();
        scratch = PayloadScratch.ofThisThread(pattern.length());
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        try (DocumentContext document = appender.writingDocument()) {
            Bytes<?> bytes = document.wire().bytes();
            bytes.writeLong(Header.first(tag));
            bytes.writeLong(++sequence);
            bytes.writeLong(0);
            bytes.writeLong(originNanos);
            bytes.writeLong(System.nanoTime());
            pattern.write(number, scratch, 0);
            bytes.write(scratch, 0, pattern.length());
        }
        return true;
    }

    @Override
    public void close() {
        if (appender != null) {
            appender.close();
        }
    }
}
