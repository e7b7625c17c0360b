package dev.baton.engine.snapshots;

import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The end record of a snapshot, without which it is void: what the state is, and which inputs and outputs it contains. {@code
 * docs/frame.md} has its layout. Immutable, thread-safe.
 *
 * @param version of the service that saved it
 * @param input sequence of the last input that it contains, 0 for none
 * @param identity of the input topic; 0 when it is not known
 * @param incarnation that wrote that input; 0 when it is not known
 * @param output sequence of the last output that was sent before it
 * @param time logical time of the service, in nanoseconds since 1970-01-01T00:00Z
 * @param begunAt wall-clock time, in nanoseconds since 1970-01-01T00:00Z
 * @param bytes of the state
 * @param chunks that hold it
 * @param checksum CRC32C of the state
 */
public record SnapshotEnd(
        int version,
        long input,
        long identity,
        long incarnation,
        long output,
        long time,
        long begunAt,
        long bytes,
        int chunks,
        int checksum) {
    static final int BYTES = 76;

    private static final int FORMAT = 1;
    private static final int CHECKED_BYTES = BYTES - Integer.BYTES;

    /** The same for a state that is written completely. */
    SnapshotEnd of(long stateBytes, int stateChunks, int stateChecksum) {
        return new SnapshotEnd(
                version, input, identity, incarnation, output, time, begunAt, stateBytes, stateChunks, stateChecksum);
    }

    byte[] toBytes() {
        byte[] record = new byte[BYTES];
        ByteBuffer.wrap(record)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(FORMAT)
                .putInt(version)
                .putLong(input)
                .putLong(identity)
                .putLong(incarnation)
                .putLong(output)
                .putLong(time)
                .putLong(begunAt)
                .putLong(bytes)
                .putInt(chunks)
                .putInt(checksum)
                .putInt(checksumOf(record));
        return record;
    }

    /** What a frame says; null when it is no end record, or was altered. */
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
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                fields.getInt(),
                fields.getInt());
    }

    private static int checksumOf(byte[] record) {
        CRC32C sum = new CRC32C();
        sum.update(record, 0, CHECKED_BYTES);
        return (int) sum.getValue();
    }
}
