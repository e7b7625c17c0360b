package dev.baton.lab.engines;

import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.chronicle.wire.Wire;

/** The published loops over Chronicle Queue: a long and an int through the wire, written inside the document that is read. */
final class ArticleQueues {
    private ArticleQueues() {}

    /** Appends to the first queue and reads the last one. Confined to its thread. */
    static final class Ends implements Round.Ends {
        private final ChronicleQueue first;
        private final ChronicleQueue last;
        private ExcerptAppender appender;
        private ExcerptTailer tailer;

        Ends(ChronicleQueue first, ChronicleQueue last) {
            this.first = first;
            this.last = last;
        }

        @Override
        public void open() {
            tailer = last.createTailer();
            appender = first.createAppender();
        }

        @Override
        public void send(long stampNanos) {
            try (DocumentContext document = appender.writingDocument()) {
                document.wire().getValueOut().writeLong(stampNanos);
                document.wire().getValueOut().writeInt(0);
            }
        }

        @Override
        public boolean receive(Round to) {
            try (DocumentContext document = tailer.readingDocument()) {
                if (!document.isPresent()) {
                    return false;
                }
                long stamp = document.wire().getValueIn().readLong();
                to.arrived(stamp, document.wire().getValueIn().readInt());
                return true;
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

    /** A service: raises the int of each message by one. */
    static final class Service extends QueueLibrary.Relay {
        Service(ChronicleQueue from, ChronicleQueue to, Pause pause) {
            super(from, to, pause);
        }

        @Override
        void pass(Wire in, Wire out) {
            out.getValueOut().writeLong(in.getValueIn().readLong());
            out.getValueOut().writeInt(in.getValueIn().readInt() + 1);
        }
    }
}
