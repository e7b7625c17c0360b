package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.MessageSink;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/** Takes the messages from a chain's last queue. */
final class QueueExit extends TurningStage implements PayloadPattern.Origin {
    private final ChronicleQueue queue;
    private final MessageSink sink;
    private ExcerptTailer tailer;
    private Bytes<?> bytes; // of the open document
    private long payloadStart;

    QueueExit(ChronicleQueue queue, MessageSink sink, Pause pause) {
        super(pause);
        this.queue = queue;
        this.sink = sink;
    }

    @Override
    public void open() {
        tailer = queue.createTailer();
    }

    @Override
    boolean turn() {
        try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent()) {
                return false;
            }
            bytes = document.wire().bytes();
            long start = bytes.readPosition();
            long first = bytes.readLong(start);
            payloadStart = start + Header.BYTES;
            int length = (int) (bytes.readRemaining() - Header.BYTES);
            sink.onMessage(bytes.readLong(start + Header.ORIGIN), Header.tag(first), Header.hops(first), length, this);
            return true;
        }
    }

    @Override
    public void copyTo(byte[] target, int length) {
        bytes.read(payloadStart, target, 0, length);
    }

    @Override
    public void close() {
        if (tailer != null) {
            tailer.close();
        }
    }
}
