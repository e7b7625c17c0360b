package dev.baton.aeron.log;

import dev.baton.spi.errors.DamagedTopicException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of a fragment in a recording. It lies in the flags of the fragment's first frame, in all bits but that of the last
 * fragment of a flush, and covers the whole fragment. Computed once for a fragment of any number of frames. Confined to one
 * thread.
 */
public final class FragmentChecksum {
    private static final int LAST = FragmentLayout.LAST_OF_FLUSH;
    private static final int SPREAD = 0x9E37_79B9; // odd: each bit of a length changes higher ones of the product

    private final CRC32C crc = new CRC32C();
    private ByteBuffer memory; // of the view
    private ByteBuffer view; // with a position of its own

    /** Returns the CRC32C of bytes. */
    public int of(ByteBuffer bytes, int from, int to) {
        if (bytes != memory) {
            memory = bytes;
            view = bytes.duplicate();
        }
        crc.reset();
        crc.update(view.limit(to).position(from));
        return (int) crc.getValue();
    }

    /** Writes the flags of the fragment that lies between two offsets. */
    public void seal(ByteBuffer bytes, int from, int to, boolean isLastOfFlush) {
        bytes.putInt(from + FragmentLayout.FLAGS_AT, flags(bytes, from, to, isLastOfFlush));
    }

    /** Returns whether a fragment is the one that was sealed. */
    public boolean agrees(ByteBuffer bytes, int fragment, int length) {
        return length >= FragmentLayout.stagedBytes(0)
                && bytes.getInt(fragment + FragmentLayout.FLAGS_AT)
                        == flags(bytes, fragment, fragment + length, FragmentLayout.isLastOfFlush(bytes, fragment));
    }

    /**
     * Checks that a fragment is the one that was sealed.
     *
     * @param topic for the error
     * @param recording for the error, with the log position behind the fragment
     * @throws DamagedTopicException when it is not
     */
    public void require(String topic, long recording, ByteBuffer bytes, int fragment, int length, long end) {
        if (!agrees(bytes, fragment, length)) {
            throw damage(topic, recording, bytes, fragment, length, end);
        }
    }

    /** Describes a fragment that is not the one that was sealed. */
    public static DamagedTopicException damage(
            String topic, long recording, ByteBuffer bytes, int fragment, int length, long end) {
        return new DamagedTopicException(
                "topic '" + topic + "' is damaged: the fragment of " + length + " bytes that ends at log position "
                        + end
                        + " of recording " + recording + " and begins with sequence "
                        + FragmentLayout.firstSequence(bytes, fragment)
                        + " does not agree with its checksum; restore the recordings of the Archive, or delete the topic",
                true);
    }

    private int flags(ByteBuffer bytes, int from, int to, boolean isLastOfFlush) {
        int last = isLastOfFlush ? LAST : 0;
        int sum = of(bytes, from + FragmentLayout.FRAME_OFFSET, to) ^ (2 * bytes.getInt(from) + last) * SPREAD;
        return sum & ~LAST | last;
    }
}
