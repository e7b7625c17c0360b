package dev.baton.partitions;

import dev.baton.Chain;
import dev.baton.spi.PartitionTopic;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The assignment of keys to the partitions of a chain. All messages with the same key go to the same partition and stay in
 * order.
 *
 * <p>The partition of a key never changes, since the messages of the key are there. It is computed as follows, in any language,
 * on unsigned 64-bit numbers that wrap around:
 *
 * <pre>
 * mix(x):    x ^= x >> 30;  x *= 0xbf58476d1ce4e5b9
 *            x ^= x >> 27;  x *= 0x94d049bb133111eb
 *            x ^= x >> 31
 * a number:  partition = mix(key) mod partitions
 * bytes:     h = 0xcbf29ce484222325;  for each byte b: h ^= b, h *= 0x100000001b3  (FNV-1a)
 *            partition = mix(h) mod partitions
 * a text:    as its bytes in UTF-8
 * </pre>
 *
 * With 8 partitions the number 42 belongs to partition 2, the text "Zürich" to partition 5. Immutable, thread-safe.
 */
public final class Partitions {
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final int count;

    private Partitions(int count) {
        this.count = count;
    }

    /**
     * {@return the assignment of keys to a number of partitions} The number cannot be changed later, since keys would move.
     *
     * @param count 1 to {@value PartitionTopic#MOST_PARTITIONS}
     */
    public static Partitions of(int count) {
        if (count < 1 || count > PartitionTopic.MOST_PARTITIONS) {
            throw new IllegalArgumentException(
                    count + " partitions; 1 to " + PartitionTopic.MOST_PARTITIONS + " are allowed");
        }
        return new Partitions(count);
    }

    /** {@return the number of partitions} */
    public int count() {
        return count;
    }

    /**
     * {@return the partition of a number, from 0 to the number of partitions less one}
     *
     * @param key any number; a negative one is used as its 64 bits
     */
    public int partitionOf(long key) {
        return (int) Long.remainderUnsigned(mix(key), count);
    }

    /**
     * {@return the partition of a byte array}
     *
     * @param key key; all of its bytes are used
     */
    public int partitionOf(byte[] key) {
        return partitionOf(key, 0, key.length);
    }

    /**
     * {@return the partition of a range of a byte array}
     *
     * @param key array, which is only read
     * @param offset offset of the first byte that is used
     * @param length length in bytes, 0 or more
     */
    public int partitionOf(byte[] key, int offset, int length) {
        long hash = FNV_BASIS;
        for (int i = offset; i < offset + length; i++) {
            hash = (hash ^ (key[i] & 0xff)) * FNV_PRIME;
        }
        return partitionOf(hash);
    }

    /**
     * {@return the partition of the bytes from position to limit}
     *
     * @param key buffer, which is only read: neither position nor limit moves
     */
    public int partitionOf(ByteBuffer key) {
        long hash = FNV_BASIS;
        for (int i = key.position(); i < key.limit(); i++) {
            hash = (hash ^ (key.get(i) & 0xff)) * FNV_PRIME;
        }
        return partitionOf(hash);
    }

    /**
     * {@return the partition of a text} Allocates its bytes.
     *
     * @param key key; its bytes in UTF-8 are used
     */
    public int partitionOf(String key) {
        return partitionOf(key.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * {@return the name of one partition's topic: {@code topic@partition}, or the plain name if there is only one partition}
     *
     * @param topic as of {@link Chain#topic}
     * @param partition 0 to one less than {@link #count}
     */
    public String topic(String topic, int partition) {
        return PartitionTopic.of(topic, partition, count);
    }

    private static long mix(long key) {
        long x = key;
        x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
        x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
        return x ^ x >>> 31;
    }

    /**
     * The event that a partition came to this process or left it. Immutable, thread-safe.
     *
     * @param partition number of the partition, from 0
     * @param kind what happened
     */
    public record PartitionChange(int partition, Kind kind) {
        /** The kinds of changes. */
        public enum Kind {
            /** The partition runs here now. */
            ASSIGNED("assigned"),
            /** The partition left, after all messages in progress were completed and stored. Another process may continue. */
            REVOKED("revoked"),
            /** The partition left with messages in progress. They remain in their topics, and may be handled again. */
            CUT_OFF("revoked with messages in flight"),
            /** The partition was stopped at once, because another process may have it already. */
            LOST("lost");

            private final String text;

            Kind(String text) {
                this.text = text;
            }

            /** {@return one line of text for logs} */
            public String text() {
                return text;
            }
        }
    }
}
