package dev.baton.chronicle.format;

import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The layout of a Chronicle excerpt that carries frames: one batch of one writer.
 *
 * <pre>
 *  0  magic     4   'B' 'T' 'N' and the layout's version, 1 or 2
 *  4  frames    4   from 1
 *  8  first     8   sequence of the first frame
 * 16  bytes     4   of the whole excerpt
 * 20  length    4   payload bytes of the first frame
 * 24  frame         header and payload, then for each further frame
 *     padding       so that the frame begins at a multiple of 8
 *     length    4
 *     frame
 *     checksum  4   CRC32C of all bytes before, only with version 2 of the layout
 * </pre>
 *
 * All buffers are little endian; an excerpt and a frame are given by the offset where they begin. Chronicle publishes an
 * excerpt by writing its own header last, so an excerpt is complete or does not exist, except after a power failure, which may
 * take any page: version 2 is for writers that promise to survive it. Stateless.
 */
public final class Excerpt {
    /** The bytes of the longest excerpt, whatever the options it was written with. */
    public static final int LONGEST = 16 << 20;

    /** Offset of the first frame. */
    public static final int FIRST_FRAME = 24;

    /** The first four bytes of an excerpt: the mark of Baton, and the version of the layout. */
    static final int MAGIC = 'B' | 'T' << 8 | 'N' << 16 | 1 << 24;

    /** The first four bytes of an excerpt with a checksum. */
    private static final int CHECKED_MAGIC = MAGIC + (1 << 24);

    /** Length of the checksum. */
    public static final int CHECKSUM = 4;

    private static final int ANY_VERSION = 0x00FF_FFFF;
    private static final int VERSION_SHIFT = 24;
    static final int FRAMES = 4;
    static final int FIRST_SEQUENCE = 8;
    /** Offset of the length of the whole excerpt. */
    public static final int BYTES = 16;

    private static final int ALIGNMENT = 8;

    private static final int LEAST_OVERLAP = 64 << 10;

    /** The bytes of Chronicle's header and the excerpt's own in the largest excerpt, rounded up. */
    private static final int RESERVE = 60;

    private Excerpt() {}

    /**
     * {@return the bytes of the longest excerpt} Chronicle maps a block and an overlap after it, and an excerpt that begins
     * in the block's last byte has to end within the overlap: 64 KB below 256 KB of block, else a quarter of it.
     */
    public static int longest(int blockSize) {
        return Math.max(LEAST_OVERLAP, blockSize / 4) - RESERVE;
    }

    /** {@return the bytes of the longest payload} */
    public static int maxPayload(int blockSize) {
        return longest(blockSize) - FIRST_FRAME - Frame.HEADER_BYTES - CHECKSUM;
    }

    /** Writes the header of an excerpt that has no frames yet. */
    public static void begin(ByteBuffer buffer, int excerpt, long firstSequence, boolean isChecked) {
        buffer.putInt(excerpt, isChecked ? CHECKED_MAGIC : MAGIC);
        buffer.putLong(excerpt + FIRST_SEQUENCE, firstSequence);
    }

    /** Writes the numbers that change with every frame: those of frames and bytes so far. */
    public static void size(ByteBuffer buffer, int excerpt, int frames, int bytes) {
        buffer.putInt(excerpt + FRAMES, frames);
        buffer.putInt(excerpt + BYTES, bytes);
    }

    /** Writes the checksum of a complete excerpt. */
    public static void seal(ByteBuffer buffer, int excerpt, CRC32C crc) {
        int end = excerpt + bytes(buffer, excerpt) - CHECKSUM;
        buffer.putInt(end, checksum(buffer, excerpt, end, crc));
    }

    private static int checksum(ByteBuffer buffer, int start, int end, CRC32C crc) {
        crc.reset();
        crc.update(buffer.limit(end).position(start));
        buffer.clear();
        return (int) crc.getValue();
    }

    /** {@return the number of frames} */
    public static int frames(ByteBuffer buffer, int excerpt) {
        return buffer.getInt(excerpt + FRAMES);
    }

    /** {@return the sequence of the first frame} */
    public static long firstSequence(ByteBuffer buffer, int excerpt) {
        return buffer.getLong(excerpt + FIRST_SEQUENCE);
    }

    /** {@return the bytes of the whole excerpt} */
    public static int bytes(ByteBuffer buffer, int excerpt) {
        return buffer.getInt(excerpt + BYTES);
    }

    /** {@return the payload length of a frame} */
    public static int length(ByteBuffer buffer, int frame) {
        return buffer.getInt(frame - Integer.BYTES);
    }

    /** Writes the payload length of a frame. */
    public static void length(ByteBuffer buffer, int frame, int payload) {
        buffer.putInt(frame - Integer.BYTES, payload);
    }

    /** {@return the offset of the first byte after a frame} */
    public static int end(int frame, int payload) {
        return frame + Frame.HEADER_BYTES + payload;
    }

    /** {@return where the frame after one with this end begins} */
    public static int nextFrame(int end) {
        return align(end + Integer.BYTES);
    }

    /** {@return where the next excerpt of the same scratch memory begins, after the first free byte} */
    public static int align(int offset) {
        return offset + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** {@return whether the bytes at the buffer's start were written by another program than Baton, of any release} */
    public static boolean isForeign(ByteBuffer buffer, int length) {
        return length < FIRST_FRAME + Frame.HEADER_BYTES || ((buffer.getInt(0) ^ MAGIC) & ANY_VERSION) != 0;
    }

    /** {@return whether the first four bytes are those of an excerpt of this layout} */
    static boolean isMagic(int word) {
        return word == MAGIC || word == CHECKED_MAGIC;
    }

    /** {@return the reason that the bytes at the buffer's start are no excerpt of this layout; null if they are one} */
    public static String defect(ByteBuffer buffer, int length, CRC32C crc) {
        if (isForeign(buffer, length)) {
            return "it was not written by Baton";
        }
        if (!isMagic(buffer.getInt(0))) {
            return "its layout is version " + (buffer.getInt(0) >>> VERSION_SHIFT) + ", this release reads 1 and 2";
        }
        boolean isChecked = buffer.getInt(0) == CHECKED_MAGIC;
        int end = isChecked ? length - CHECKSUM : length;
        if (bytes(buffer, 0) != length || firstSequence(buffer, 0) < 1 || !framesFill(buffer, end)) {
            return "it is damaged: " + frames(buffer, 0) + " frames from sequence " + firstSequence(buffer, 0) + " in "
                    + bytes(buffer, 0) + " bytes, stored are " + length;
        }
        if (isChecked && buffer.getInt(end) != checksum(buffer, 0, end, crc)) {
            return "it is damaged: " + frames(buffer, 0) + " frames from sequence " + firstSequence(buffer, 0)
                    + " are not those that were written, by their checksum";
        }
        return null;
    }

    private static boolean framesFill(ByteBuffer buffer, int bytes) {
        int end = FIRST_FRAME - Integer.BYTES;
        for (int left = frames(buffer, 0); left > 0; left--) {
            int frame = nextFrame(end);
            int room = bytes - frame - Frame.HEADER_BYTES;
            if (room < 0 || length(buffer, frame) < 0 || length(buffer, frame) > room) {
                return false;
            }
            end = end(frame, length(buffer, frame));
        }
        return end == bytes;
    }
}
