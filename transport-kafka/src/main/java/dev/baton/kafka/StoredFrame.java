package dev.baton.kafka;

import dev.baton.spi.DamagedTopicException;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Frames as the values of records: checked before anybody looks into them. */
final class StoredFrame {
    private StoredFrame() {}

    /**
     * Aims a view at a record's value, which it turns little endian.
     *
     * @throws DamagedTopicException when the record is not a frame of a version known here
     */
    static Frame aim(Frame view, ConsumerRecord<byte[], ByteBuffer> record) {
        ByteBuffer value = record.value();
        if (value == null || value.remaining() < Frame.HEADER_BYTES) {
            throw foreign(record, value == null ? "it has no value" : value.remaining() + " bytes are too short");
        }
        int start = value.position();
        view.wrap(value.order(ByteOrder.LITTLE_ENDIAN), start, value.remaining() - Frame.HEADER_BYTES);
        if (view.version() != Frame.VERSION) {
            throw foreign(record, "its version is " + view.version() + ", known is " + Frame.VERSION);
        }
        return view;
    }

    private static DamagedTopicException foreign(ConsumerRecord<?, ?> record, String why) {
        return new DamagedTopicException(
                "topic '" + record.topic() + "', offset " + record.offset()
                        + ": this record is not a frame of Baton's: " + why,
                false);
    }
}
