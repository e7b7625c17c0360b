package dev.baton.engine.snapshots;

import dev.baton.spi.Frame;
import dev.baton.spi.InputRef;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The end record of a snapshot: the size and checksum of the state, and the inputs and outputs that it contains. A snapshot
 * without an end record is invalid. Immutable, thread-safe.
 *
 * <p>A snapshot is a frame of type {@code 0x5342} without payload, frames of type {@code 0x5343} with the state in order, and
 * this record in a frame of type {@code 0x5345}; their cause is the newest input that the state contains. Frames of another
 * writer or another begin frame in between make it void. A frame of type {@code 0x5353} without payload is no part of a snapshot;
 * it shows that a start owned the topic ({@link Snapshots#own}). The record is little-endian: the version of its layout (4 bytes),
 * the components in their order, and the CRC32C of the bytes before it.
 *
 * @param version version of the state format of the service
 * @param input sequence of the last input that it contains, 0 for none
 * @param origin the topic of that input, and its writer
 * @param output sequence of the last output that was sent before it
 * @param time logical time of the service, in nanoseconds since 1970-01-01T00:00Z
 * @param begunAt wall-clock time, in nanoseconds since 1970-01-01T00:00Z
 * @param content the state, as it was written; {@link Content#NONE} before
 */
public record SnapshotEnd(
        int version, long input, InputRef origin, long output, long time, long begunAt, Content content) {
    static final int BYTES = 84;

    private static final int FORMAT = 2;
    private static final int CHECKED_BYTES = BYTES - Integer.BYTES;

    /**
     * A completely written state.
     *
     * @param bytes number of bytes
     * @param chunks number of chunks that hold them
     * @param checksum CRC32C of the bytes
     * @param follows sequence of the end record of the snapshot whose changes this one contains; 0 for a whole state
     */
    public record Content(long bytes, int chunks, int checksum, long follows) {
        static final Content NONE = new Content(0, 0, 0, 0);
    }

    SnapshotEnd with(Content written) {
        return new SnapshotEnd(version, input, origin, output, time, begunAt, written);
    }

    byte[] toBytes() {
        byte[] record = new byte[BYTES];
        ByteBuffer.wrap(record)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(FORMAT)
                .putInt(version)
                .putLong(input)
                .putLong(origin.topic())
                .putLong(origin.incarnation())
                .putLong(output)
                .putLong(time)
                .putLong(begunAt)
                .putLong(content.bytes())
                .putInt(content.chunks())
                .putInt(content.checksum())
                .putLong(content.follows())
                .putInt(checksumOf(record));
        return record;
    }

    /** Reads an end record from a frame; returns null if the frame is not an end record, or is damaged. */
    static SnapshotEnd of(Frame frame) {
        if (frame.length() != BYTES) {
            return null;
        }
        byte[] record = new byte[BYTES];
        frame.getBytes(0, record, 0, BYTES);
        ByteBuffer fields = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        if (fields.getInt(CHECKED_BYTES) != checksumOf(record) || fields.getInt() != FORMAT) {
            return null;
        }
        return new SnapshotEnd(
                fields.getInt(),
                fields.getLong(),
                new InputRef(fields.getLong(), fields.getLong()),
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                new Content(fields.getLong(), fields.getInt(), fields.getInt(), fields.getLong()));
    }

    private static int checksumOf(byte[] record) {
        CRC32C sum = new CRC32C();
        sum.update(record, 0, CHECKED_BYTES);
        return (int) sum.getValue();
    }
}
