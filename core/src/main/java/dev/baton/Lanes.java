package dev.baton;

import dev.baton.spi.LaneTopic;
import java.nio.charset.StandardCharsets;

/**
 * How many lanes a chain has, and which of them a key belongs to: all messages of a key take one lane and stay in order.
 *
 * <p>The lane of a key is settled for ever, since its messages lie there; so this is how it is computed, in any language,
 * on unsigned 64-bit numbers that wrap around:
 *
 * <pre>
 * mix(x):    x ^= x >> 30;  x *= 0xbf58476d1ce4e5b9
 *            x ^= x >> 27;  x *= 0x94d049bb133111eb
 *            x ^= x >> 31
 * a number:  lane = mix(key) mod lanes
 * bytes:     h = 0xcbf29ce484222325;  for each byte b: h ^= b, h *= 0x100000001b3  (FNV-1a)
 *            lane = mix(h) mod lanes
 * a text:    as its bytes in UTF-8
 * </pre>
 *
 * With 8 lanes the number 42 belongs to lane 2, the text "Zürich" to lane 5. Immutable, thread-safe.
 */
public final class Lanes {
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final int count;

    private Lanes(int count) {
        this.count = count;
    }

    /** So many lanes, 1 to {@value LaneTopic#MOST_LANES}. They cannot become more or fewer later: keys would move. */
    public static Lanes of(int count) {
        if (count < 1 || count > LaneTopic.MOST_LANES) {
            throw new IllegalArgumentException(count + " lanes; 1 to " + LaneTopic.MOST_LANES + " are allowed");
        }
        return new Lanes(count);
    }

    public int count() {
        return count;
    }

    /** Lane of a number, 0 to one less than the lanes. */
    public int laneOf(long key) {
        return (int) Long.remainderUnsigned(mix(key), count);
    }

    /** Lane of some bytes. */
    public int laneOf(byte[] key) {
        return laneOf(key, 0, key.length);
    }

    /** Lane of {@code length} bytes from {@code offset} on. */
    public int laneOf(byte[] key, int offset, int length) {
        long hash = FNV_BASIS;
        for (int i = offset; i < offset + length; i++) {
            hash = (hash ^ (key[i] & 0xff)) * FNV_PRIME;
        }
        return laneOf(hash);
    }

    /** Lane of a text; allocates its bytes. */
    public int laneOf(String key) {
        return laneOf(key.getBytes(StandardCharsets.UTF_8));
    }

    /** Name of one lane's topic: {@code topic@lane}, or the plain name when there is one lane. */
    public String topic(String topic, int lane) {
        return LaneTopic.of(topic, lane, count);
    }

    private static long mix(long key) {
        long x = key;
        x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
        x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
        return x ^ x >>> 31;
    }
}
