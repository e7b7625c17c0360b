package dev.baton.spi;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Computes CRC32C checksums of parts of buffers without moving their positions or limits. Confined to one thread;
 * allocates for the first buffer outside of the heap, and whenever that is another one.
 */
final class FrameChecksum {
    private final CRC32C crc = new CRC32C();
    private ByteBuffer windowed; // null until the first checksum of off-heap memory
    private ByteBuffer window; // view of the memory of windowed with its own position and limit

    /** Returns the checksum of the bytes from {@code start} to {@code end} (exclusive). */
    int of(ByteBuffer buffer, int start, int end) {
        crc.reset();
        if (buffer.hasArray()) {
            crc.update(buffer.array(), buffer.arrayOffset() + start, end - start);
        } else {
            if (windowed != buffer) {
                windowed = buffer;
                window = buffer.duplicate();
            }
            crc.update(window.limit(end).position(start));
        }
        return (int) crc.getValue();
    }

    /** Returns the defect of the checksum that is stored at {@code end}; null if it is valid. */
    String defect(ByteBuffer buffer, int start, int end) {
        int before = end - start - Frame.HEADER_BYTES;
        if (before < 0) {
            return "a checksum is said to be there, but " + (before + Frame.CHECKSUM_BYTES)
                    + " bytes are too few for one";
        }
        int stored = buffer.getInt(end);
        int computed = of(buffer, start, end);
        return stored == computed
                ? null
                : "checksum 0x" + Integer.toHexString(stored) + ", of its bytes it is 0x"
                        + Integer.toHexString(computed) + "; they are not those that were written";
    }
}
