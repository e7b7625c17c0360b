package dev.baton.lab.engines;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/** A service: copies each message from one queue to the next, one excerpt each. */
final class QueueRelay extends TurningStage {
    private final ChronicleQueue from;
    private final ChronicleQueue to;
    private ExcerptTailer tailer;
    private ExcerptAppender appender;
    private long sequence;

    QueueRelay(ChronicleQueue from, ChronicleQueue to, Pause pause) {
        super(pause);
        this.from = from;
        this.to = to;
    }

    @Override
    public void open() {
        tailer = from.createTailer();
        appender = to.createAppender();
    }

    @Override
    boolean turn() {
        try (DocumentContext in = tailer.readingDocument()) {
            if (!in.isPresent()) {
                return false;
            }
            try (DocumentContext out = appender.writingDocument()) {
                copy(in.wire().bytes(), out.wire().bytes());
            }
            return true;
        }
    }

    private void copy(Bytes<?> in, Bytes<?> out) {
        out.writeLong(in.readLong() + Header.ONE_HOP);
        long cause = in.readLong();
        in.readLong(); // its own cause
        out.writeLong(++sequence);
        out.writeLong(cause);
        out.writeLong(in.readLong());
        out.writeLong(in.readLong());
        if (in.readRemaining() > 0) {
            out.write(in);
        }
    }

    @Override
    public void close() {
        if (tailer != null) {
            tailer.close();
        }
        if (appender != null) {
            appender.close();
        }
    }
}
