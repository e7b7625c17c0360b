package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.MessageSink;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.wire.Wire;

/** The published loops over Chronicle Queue: a long and an int through the wire, written inside the document that is read. */
final class ArticleQueues {
    private ArticleQueues() {}

    /** Appends the time of a send. */
    static final class Inlet extends QueueLibrary.Inlet {
        Inlet(ChronicleQueue queue, PayloadPattern pattern) {
            super(queue, pattern);
        }

        @Override
        void write(Wire out, long number, long stampNanos, int tag) {
            out.getValueOut().writeLong(stampNanos);
            out.getValueOut().writeInt(0);
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

    /** Takes the messages from the last queue, within a round. */
    static final class Exit extends QueueLibrary.Tailing {
        private final MessageSink sink;

        Exit(ChronicleQueue queue, MessageSink sink) {
            super(queue, null);
            this.sink = sink;
        }

        @Override
        void take(Wire in) {
            long stamp = in.getValueIn().readLong();
            sink.onMessage(stamp, 0, in.getValueIn().readInt(), 0, Round.NO_PAYLOAD);
        }
    }
}
