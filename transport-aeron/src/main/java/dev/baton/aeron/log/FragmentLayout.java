package dev.baton.aeron.log;

import dev.baton.spi.Frame;
import dev.baton.spi.errors.DamagedTopicException;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;

/**
 * The layout of a fragment: the frames of a batch, one behind the other.
 *
 * <pre>
 * little endian, each frame begins at a multiple of 8
 *  0  payload length 4
 *  4  flags          4, of the first frame of a fragment in a recording: 1 the last fragment of a flush; the other bits are
 *                     the {@link FragmentChecksum}
 *  8  frame         40 + payload
 * </pre>
 *
 * <p>Stateless.
 */
public final class FragmentLayout {
    /** The offset of a frame behind its length and flags. */
    public static final int FRAME_OFFSET = 8;

    /** The least number of fragments in a term. */
    public static final int FRAGMENTS_PER_TERM = 8;

    static final int FLAGS_AT = 4;
    /** The flag of the first frame of a fragment that is the last one of its flush. */
    public static final int LAST_OF_FLUSH = 1;

    private static final int LONGEST_FRAGMENT = 65_504;

    private FragmentLayout() {}

    /** {@return the bytes of a log for a frame in a fragment of its own} */
    public static int logBytes(int payload) {
        return BitUtil.align(DataHeaderFlyweight.HEADER_LENGTH + stagedBytes(payload), FrameDescriptor.FRAME_ALIGNMENT);
    }

    /** {@return the bytes of a frame within a fragment} */
    public static int stagedBytes(int payload) {
        return BitUtil.align(FRAME_OFFSET + Frame.HEADER_BYTES + payload, Long.BYTES);
    }

    /** {@return the sequence of the first frame of a fragment} */
    public static long firstSequence(ByteBuffer memory, int fragment) {
        return memory.getLong(fragment + FRAME_OFFSET + Frame.SEQUENCE_OFFSET);
    }

    /**
     * Checks a frame, and returns the offset behind it, where the next one begins.
     *
     * @param at offset of the frame in its fragment
     * @param length of the fragment
     * @param due sequence of the frame: the frames of a fragment are in order and without gaps
     * @throws DamagedTopicException when the frame ends behind its fragment, or has another sequence
     */
    public static int next(String topic, ByteBuffer memory, int fragment, int at, int length, long due) {
        int left = length - at;
        int payload = left < stagedBytes(0) ? -1 : memory.getInt(fragment + at);
        if (payload < 0
                || payload > left
                || stagedBytes(payload) > left
                || firstSequence(memory, fragment + at) != due) {
            throw new DamagedTopicException(
                    "topic '" + topic + "' is damaged: the frame that is due with sequence " + due + ", at byte " + at
                            + " of a fragment of " + length + ", "
                            + (left < stagedBytes(0)
                                    ? "has no room"
                                    : "has a payload of " + memory.getInt(fragment + at) + " bytes and sequence "
                                            + firstSequence(memory, fragment + at))
                            + "; restore the recordings of the Archive, or delete the topic",
                    true);
        }
        return at + stagedBytes(payload);
    }

    /** {@return the longest fragment of a term, Aeron's header included} */
    public static int mtu(int termLength) {
        return Math.min(LONGEST_FRAGMENT, termLength / FRAGMENTS_PER_TERM);
    }

    /** {@return whether a fragment in a recording is the last one of its flush} */
    public static boolean isLastOfFlush(ByteBuffer memory, int fragment) {
        return (memory.getInt(fragment + FLAGS_AT) & LAST_OF_FLUSH) != 0;
    }
}
