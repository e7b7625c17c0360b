package dev.baton.chronicle;

import dev.baton.spi.ByteSize;
import dev.baton.spi.TopicFootprint;

/**
 * What a topic needs of a machine. The figures come from reading {@code /proc} and the class histogram of trials with 20
 * and 200 chains of six topics, and are rounded up. Stateless.
 */
final class TopicNeeds {
    private static final long KILO = 1 << 10;
    private static final long MEGA = 1 << 20;

    /**
     * The objects around a mapped block live as long as it is mapped, 16 s at 1,000 messages a second: a collection copies
     * nearly all that was allocated. At 900 chains it stopped all loops for 15 ms every 7 s with 16 MB, 20 ms every 15 s
     * with 32, 48 ms with 100, and 85 to 101 ms every two minutes with 280, which alone broke a limit of 100 ms
     * (docs/decisions/007).
     */
    private static final long MAX_YOUNG = 16 * MEGA;

    /** Blocks that a topic takes while what has been read is freed: two, and what consumers lag in an overload. */
    private static final long UNREAD_BLOCKS = 4;

    private TopicNeeds() {}

    /** With a block size as typed; null for the default. */
    static TopicFootprint of(boolean isFreed, boolean isSynced, String blockSize) {
        return footprint(isSynced ? 3 : 2, isFreed ? UNREAD_BLOCKS * blockBytes(blockSize) : TopicFootprint.UNBOUNDED);
    }

    /** Found: 20 KB of heap, 2 descriptors and one more to sync, 4 maps with the next block and the last one, at most 69 bytes a frame. */
    private static TopicFootprint footprint(int descriptors, long maxFileBytes) {
        return new TopicFootprint(48 * KILO, 0, descriptors, 4.5, 128 * KILO, 72, maxFileBytes, MAX_YOUNG);
    }

    private static long blockBytes(String blockSize) {
        try {
            return blockSize == null ? ChronicleOptions.defaults().blockSize() : ByteSize.parse(blockSize);
        } catch (IllegalArgumentException refused) {
            return ChronicleOptions.defaults().blockSize(); // open() says so
        }
    }
}
