package dev.baton.aeron.log;

import dev.baton.spi.Frame;
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
 *  4  flags          4, of the first frame of a fragment in a recording: 1 the last fragment of a flush
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
    static final int LAST_OF_FLUSH = 1;

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

    /** {@return the longest fragment of a term, Aeron's header included} */
    public static int mtu(int termLength) {
        return Math.min(LONGEST_FRAGMENT, termLength / FRAGMENTS_PER_TERM);
    }

    /** {@return whether a fragment in a recording is the last one of its flush} */
    public static boolean isLastOfFlush(ByteBuffer memory, int fragment) {
        return memory.getInt(fragment + FLAGS_AT) == LAST_OF_FLUSH;
    }
}
