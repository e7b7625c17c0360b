package dev.baton.spi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * A view of one frame: the 40-byte header and its payload, wherever a transport keeps them.
 *
 * <p>Layout, little endian, offsets in bytes from the frame's start:
 *
 * <pre>
 *  0  version  1   {@value #VERSION}
 *  1  flags    1   0, or {@value #CHECKED}: the last four bytes of the payload are a checksum
 *  2  hops     2   services passed so far, unsigned
 *  4  type     4   chosen by the sender of the payload, 0 unless set
 *  8  sequence 8   1, 2, 3 ... given by the topic's one writer
 * 16  cause    8   sequence of the input that led to this frame, 0 at the inlet
 * 24  origin   8   intended send time at the inlet, System.nanoTime
 * 32  sent     8   time of commit, System.nanoTime
 * 40  payload
 * </pre>
 *
 * <p>A checksum covers every byte before it, the header's included. Its mark has four bits set, so that no one to three
 * bits that flip make a frame with a checksum into one without: what they make has flags that nobody knows.
 *
 * <p>The view owns no memory. A transport aims it with {@link #wrap} at a buffer that stays valid until the handler or
 * the claim that received the view is done. Confined to the thread that aims it; the buffer may be shared, as a ring's
 * is by its writer and its readers: no method of a view moves its position or limit, not even for a moment.
 */
public final class Frame {
    /** The layout that this class writes, and the only one it reads. */
    public static final int VERSION = 1;

    /** Bytes before the payload. */
    public static final int HEADER_BYTES = 40;

    /** Offset of the sequence, for transports that give it while copying. */
    public static final int SEQUENCE_OFFSET = 8;

    /** Flags of a frame that bears a checksum; no other flags are defined. */
    public static final int CHECKED = 0x0F;

    /** Length of a checksum: a CRC32C (Castagnoli). */
    public static final int CHECKSUM_BYTES = Integer.BYTES;

    private static final int FLAGS = 1;
    private static final int HOPS = 2;
    private static final int TYPE = 4;
    private static final int CAUSE = 16;
    private static final int ORIGIN = 24;
    private static final int SENT = 32;

    private ByteBuffer buffer;
    private int start;
    private int length;
    private CRC32C crc; // null until a checksum is asked for
    private ByteBuffer window; // on the memory of windowed, for checksums: its limits are this view's own
    private ByteBuffer windowed; // null until a checksum of memory outside of the heap is asked for

    /** A view of nothing, to be aimed with {@link #wrap}. */
    public Frame() {}

    /**
     * Aims this view at a frame.
     *
     * @param memory in little-endian order; heap or direct
     * @param offset of the header's first byte
     * @param payloadLength bytes of payload, from 0; header and payload lie within the buffer's limit
     * @return this
     */
    public Frame wrap(ByteBuffer memory, int offset, int payloadLength) {
        if (memory.order() != ByteOrder.LITTLE_ENDIAN) {
            throw new IllegalArgumentException("frames are little endian, the buffer is " + memory.order());
        }
        if (payloadLength < 0 || offset < 0 || offset > memory.limit() - HEADER_BYTES - payloadLength) {
            throw new IndexOutOfBoundsException("a frame at " + offset + " with " + payloadLength
                    + " bytes of payload does not lie within " + memory.limit() + " bytes");
        }
        if (buffer != memory) {
            buffer = memory; // transports reuse their memory: mostly no store, and so no collector's barrier
        }
        start = offset;
        length = payloadLength;
        return this;
    }

    /** The layout's version as stored; anything but {@link #VERSION} means that no other accessor can be trusted. */
    public int version() {
        return buffer.get(start) & 0xFF;
    }

    public int flags() {
        return buffer.get(start + FLAGS) & 0xFF;
    }

    /** Whether the frame has this version and no flags: it may be read as it is, without {@link #unseal}. */
    public boolean isPlain() {
        return buffer.getShort(start) == VERSION;
    }

    public int hops() {
        return buffer.getShort(start + HOPS) & 0xFFFF;
    }

    public int type() {
        return buffer.getInt(start + TYPE);
    }

    public long sequence() {
        return buffer.getLong(start + SEQUENCE_OFFSET);
    }

    public long cause() {
        return buffer.getLong(start + CAUSE);
    }

    public long originNanos() {
        return buffer.getLong(start + ORIGIN);
    }

    public long sentNanos() {
        return buffer.getLong(start + SENT);
    }

    /** Bytes of payload; a checksum counts among them until {@link #unseal} or {@link #reserveChecksum} takes it out. */
    public int length() {
        return length;
    }

    /** Writes every header field but the sequence, which {@link TopicWriter#commit} gives. */
    public void stamp(int hops, int type, long cause, long originNanos, long sentNanos) {
        buffer.putInt(start, VERSION | hops << 16);
        buffer.putInt(start + TYPE, type);
        buffer.putLong(start + CAUSE, cause);
        buffer.putLong(start + ORIGIN, originNanos);
        buffer.putLong(start + SENT, sentNanos);
    }

    /** Writes the sequence; called by the topic's writer at commit. */
    public void sequence(long sequence) {
        buffer.putLong(start + SEQUENCE_OFFSET, sequence);
    }

    /** Takes the place of a checksum out of the payload of a claim that was made long enough for both. */
    public Frame reserveChecksum() {
        length = Objects.checkIndex(length - CHECKSUM_BYTES, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Writes a checksum behind the payload, and the flags that say so. Called after everything else is written, the
     * sequence included, and after {@link #reserveChecksum}. The frame is then committed with
     * {@value #CHECKSUM_BYTES} bytes more.
     *
     * @param payloadLength bytes of payload used, to {@link #length}
     */
    public void seal(int payloadLength) {
        Objects.checkFromIndexSize(0, payloadLength, length);
        buffer.put(start + FLAGS, (byte) CHECKED);
        buffer.putInt(start + HEADER_BYTES + payloadLength, checksum(payloadLength));
    }

    /**
     * Checks what a frame received says about itself: version, flags, and the checksum if it bears one, which is no part
     * of the payload from then on. Once per {@link #wrap}.
     *
     * @return what keeps the frame from being read, or null: it is fine
     */
    public String unseal() {
        if (version() != VERSION) {
            return "frame version " + version() + "; this reader knows version " + VERSION
                    + " (a newer writer, or not a frame of ours)";
        }
        if (flags() == 0) {
            return null;
        }
        if (flags() != CHECKED) {
            return "flags 0x" + Integer.toHexString(flags()) + "; this reader knows none and 0x"
                    + Integer.toHexString(CHECKED) + ", a checksum (a newer writer, or damage)";
        }
        int payloadLength = length - CHECKSUM_BYTES;
        if (payloadLength < 0) {
            return "a checksum is said to be there, but " + length + " bytes are too few for one";
        }
        int stored = buffer.getInt(start + HEADER_BYTES + payloadLength);
        int computed = checksum(payloadLength);
        if (stored != computed) {
            return "checksum 0x" + Integer.toHexString(stored) + ", of its bytes it is 0x"
                    + Integer.toHexString(computed) + "; they are not those that were written";
        }
        length = payloadLength;
        return null;
    }

    private int checksum(int payloadLength) {
        if (crc == null) {
            crc = new CRC32C();
        }
        crc.reset();
        int bytes = HEADER_BYTES + payloadLength;
        if (buffer.hasArray()) {
            crc.update(buffer.array(), buffer.arrayOffset() + start, bytes);
        } else {
            if (windowed != buffer) {
                windowed = buffer;
                window = buffer.duplicate();
            }
            crc.update(window.limit(start + bytes).position(start));
        }
        return (int) crc.getValue();
    }

    public byte getByte(int index) {
        return buffer.get(at(index, Byte.BYTES));
    }

    public short getShort(int index) {
        return buffer.getShort(at(index, Short.BYTES));
    }

    public int getInt(int index) {
        return buffer.getInt(at(index, Integer.BYTES));
    }

    public long getLong(int index) {
        return buffer.getLong(at(index, Long.BYTES));
    }

    public double getDouble(int index) {
        return buffer.getDouble(at(index, Double.BYTES));
    }

    public void getBytes(int index, byte[] target, int offset, int count) {
        buffer.get(at(index, count), target, offset, count);
    }

    public void putByte(int index, byte value) {
        buffer.put(at(index, Byte.BYTES), value);
    }

    public void putShort(int index, short value) {
        buffer.putShort(at(index, Short.BYTES), value);
    }

    public void putInt(int index, int value) {
        buffer.putInt(at(index, Integer.BYTES), value);
    }

    public void putLong(int index, long value) {
        buffer.putLong(at(index, Long.BYTES), value);
    }

    public void putDouble(int index, double value) {
        buffer.putDouble(at(index, Double.BYTES), value);
    }

    public void putBytes(int index, byte[] source, int offset, int count) {
        buffer.put(at(index, count), source, offset, count);
    }

    /** Copies {@code count} bytes of another frame's payload, from its first byte, to the start of this payload. */
    public void putPayload(Frame source, int count) {
        buffer.put(at(0, count), source.buffer, source.at(0, count), count);
    }

    private int at(int index, int size) {
        return start + HEADER_BYTES + Objects.checkFromIndexSize(index, size, length);
    }
}
