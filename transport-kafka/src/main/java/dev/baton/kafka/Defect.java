package dev.baton.kafka;

import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Why a record is no frame that counts, as a repair tells it. */
enum Defect {
    NO_WRITER("frames that do not say which writer wrote them, as an earlier build stored them"),
    OTHER_VERSION("frames of another version than " + Frame.VERSION + ", of another release"),
    NO_MARKER("frames with sequence 0 that are no markers of writers"),
    OTHER_PROGRAM("records of another program");

    private final String text;

    Defect(String text) {
        this.text = text;
    }

    /** Of a record that {@link LogWriters} calls foreign. */
    static Defect of(ConsumerRecord<byte[], ByteBuffer> record, Frame view) {
        if (!StoredFrame.mayBeAFrame(record)) {
            return OTHER_PROGRAM;
        }
        if (StoredFrame.tryAimAtAny(view, record) != null) {
            return OTHER_VERSION;
        }
        return view.sequence() == WriterMarker.SEQUENCE ? NO_MARKER : NO_WRITER;
    }

    /** Returns the plural, as text for errors. */
    String text() {
        return text;
    }
}
