package dev.baton.kafka.admin;

import dev.baton.kafka.log.FrameRecord;
import dev.baton.kafka.log.LogWriters;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The reasons for which a record is no frame that counts, as a repair reports them. */
enum RecordDefect {
    NO_WRITER("frames that do not name their writer, as an earlier build stored them"),
    FORMER_TOPIC("frames of writers that began in a former topic of this name, which was deleted while it was in use"),
    OTHER_VERSION("frames of another version than " + Frame.VERSION + ", of another release"),
    NO_MARKER("frames with sequence 0 that are no markers of writers"),
    OTHER_PROGRAM("records of another program");

    private final String text;

    RecordDefect(String text) {
        this.text = text;
    }

    /** Returns the defect of a record that {@link LogWriters} classifies as foreign. */
    static RecordDefect of(ConsumerRecord<byte[], ByteBuffer> record, Frame view) {
        if (!FrameRecord.mayBeAFrame(record)) {
            return OTHER_PROGRAM;
        }
        if (FrameRecord.tryAimAtAny(view, record) != null) {
            return OTHER_VERSION;
        }
        if (view.sequence() == WriterMarker.SEQUENCE) {
            return NO_MARKER;
        }
        boolean isOfFormerTopic = FrameRecord.writerOf(view, record) != 0
                || FrameRecord.OF_FORMER_TOPIC.equals(FrameRecord.tryAim(view, record));
        return isOfFormerTopic ? FORMER_TOPIC : NO_WRITER;
    }

    /** Returns whether the sequences of such frames identify the messages that are lost with them. */
    boolean hasSequence() {
        return this == NO_WRITER || this == FORMER_TOPIC;
    }

    /** Returns the plural, as text for errors. */
    String text() {
        return text;
    }
}
