package dev.baton.kafka.log;

import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.errors.DamagedTopicException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads frames from the values of records, which it checks first. Stateless, thread-safe. */
public final class RecordDecoder {
    /** The highest version that a frame may have. Texts, JSON and Protocol Buffers begin with a higher byte. */
    private static final int MAX_VERSION = 7;

    /** Reason in place of a defect: the writer that the frame names did not begin in this topic. */
    public static final String OF_FORMER_TOPIC =
            "its writer did not begin in this topic, but in a former one of the name, which was"
                    + " deleted while it was in use";

    private RecordDecoder() {}

    /**
     * Aims a view at a record's value, which it turns little endian.
     *
     * @throws DamagedTopicException when the record is not a frame of a version known here
     */
    public static Frame aim(Frame view, ConsumerRecord<byte[], ByteBuffer> record) {
        String defect = tryAim(view, record);
        if (defect != null) {
            throw foreign(record, defect);
        }
        return view;
    }

    /** Aims a view at a record's value and returns why it is no frame; null for a frame, or a writer's marker. */
    public static String tryAim(Frame view, ConsumerRecord<byte[], ByteBuffer> record) {
        String defect = tryAimAtAny(view, record);
        if (defect != null) {
            return defect;
        }
        if (view.sequence() == WriterMarker.SEQUENCE) {
            return WriterMarker.read(view, record) == null ? "it has sequence 0, and is no marker of a writer" : null;
        }
        if (writerOf(view, record) != 0) {
            return null;
        }
        defect = view.validate();
        if (defect != null) {
            return defect;
        }
        return claimedWriter(view) > 0 ? OF_FORMER_TOPIC : "it does not name its writer";
    }

    /** Aims a view at a record's value as {@link #tryAim} does, without checking that the frame names its writer. */
    public static String tryAimAtAny(Frame view, ConsumerRecord<byte[], ByteBuffer> record) {
        ByteBuffer value = record.value();
        if (value == null) {
            return "it has no value";
        }
        if (value.remaining() < Frame.HEADER_BYTES) {
            return value.remaining() + " bytes are too short";
        }
        int start = value.position();
        view.wrap(value.order(ByteOrder.LITTLE_ENDIAN), start, value.remaining() - Frame.HEADER_BYTES);
        return view.version() == Frame.VERSION
                ? null
                : "its version is " + view.version() + ", known is " + Frame.VERSION;
    }

    /**
     * Returns the id of the incarnation that wrote a frame; 0 when the frame names none, or one that began behind it.
     */
    public static long writerOf(Frame frame, ConsumerRecord<?, ?> record) {
        long id = claimedWriter(frame);
        return id > 0 && WriterMarker.offsetOf(id) < record.offset() ? id : 0;
    }

    /** Returns the id of the incarnation that a frame names; not positive when it names none. */
    private static long claimedWriter(Frame frame) {
        int at = frame.field(Extension.WRITER);
        return at == Extension.NONE ? 0 : frame.getFieldLong(at);
    }

    /**
     * Returns whether a record may be a frame of a later release, behind which a writer must not continue: its sequence
     * is not known here. Other records that are no frames have none that counts.
     */
    static boolean isOfLaterRelease(ConsumerRecord<byte[], ByteBuffer> record) {
        ByteBuffer value = record.value();
        if (value == null || value.remaining() < Frame.HEADER_BYTES) {
            return false;
        }
        int version = value.get(value.position()) & 0xFF;
        return version > Frame.VERSION && version <= MAX_VERSION;
    }

    /** Returns the failure at a record that is no frame of its topic. */
    public static DamagedTopicException foreign(ConsumerRecord<?, ?> record, String why) {
        return new DamagedTopicException(
                "topic '" + TopicNames.of(new TopicPartition(record.topic(), record.partition())) + "', offset "
                        + record.offset() + ": this record is not a frame of Baton's: " + why,
                false);
    }
}
