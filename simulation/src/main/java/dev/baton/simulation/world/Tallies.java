package dev.baton.simulation.world;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.ValueCodec;
import dev.baton.simulation.plan.Choices;
import dev.baton.state.KeyedState;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The calls of a simulated service with keyed state: each changes the tally of a key and the total, expires and removes tallies, and its
 * outputs depend on them. Made by services over the state of core, and by the account over a {@link Model}. Single-threaded.
 */
record Tallies(KeyedState<Long, long[]> tallies, KeyedState<Long, long[]> totals) {
    static final ValueCodec<Long> KEY = ValueCodec.longs(0);
    private static final int KEYS = 7;
    private static final int HASH_BITS = 26;
    private static final Duration AGE = Duration.ofMillis(5);
    private static final int MAX_EXPIRED = 2;
    private static final long[] NOTHING = {};

    /** Numbers in a fixed layout, as values and as keys. */
    enum Numbers implements ValueCodec<long[]> {
        CODEC;

        @Override
        public int maxLength(long[] value) {
            return value.length * Long.BYTES;
        }

        @Override
        public int encode(long[] value, Claim into) {
            for (int i = 0; i < value.length; i++) {
                into.putLong(i * Long.BYTES, value[i]);
            }
            return maxLength(value);
        }

        @Override
        public long[] decode(Message from) {
            long[] value = new long[from.length() / Long.BYTES];
            for (int i = 0; i < value.length; i++) {
                value[i] = from.getLong(i * Long.BYTES);
            }
            return value;
        }
    }

    /** A state in memory. Its time is set before each input. */
    static final class Model implements KeyedState<Long, long[]> {
        private record Put(long[] value, long at) {}

        private final Map<Long, Put> puts = new LinkedHashMap<>();
        long now = Long.MIN_VALUE;

        @Override
        public long[] get(Long key) {
            Put put = puts.get(key);
            return put == null ? null : put.value.clone();
        }

        @Override
        public void put(Long key, long[] value) {
            puts.remove(key);
            puts.put(key, new Put(value.clone(), now));
        }

        @Override
        public boolean remove(Long key) {
            return puts.remove(key) != null;
        }

        @Override
        public int expire(Duration age, int limit, BiConsumer<? super Long, ? super long[]> action) {
            Iterator<Map.Entry<Long, Put>> oldest = puts.entrySet().iterator();
            int count = 0;
            while (count < limit && oldest.hasNext()) {
                Map.Entry<Long, Put> next = oldest.next();
                if (next.getValue().at >= now - age.toNanos()) {
                    break;
                }
                oldest.remove();
                action.accept(next.getKey(), next.getValue().value);
                count++;
            }
            return count;
        }

        @Override
        public int size() {
            return puts.size();
        }

        @Override
        public void forEach(BiConsumer<? super Long, ? super long[]> action) {
            puts.forEach((key, put) -> action.accept(key, put.value));
        }
    }

    /** Applies an input and returns the payloads to send for it: none, one or two. */
    long[] take(long payload) {
        long[] total = totals.get(0L);
        total = total == null ? new long[2] : total;
        long[] expired = {0};
        expired[0] ^= tallies.expire(
                AGE, MAX_EXPIRED, (each, value) -> expired[0] = Choices.mix(expired[0] ^ each ^ value[0]));
        long hash = Choices.mix(total[1] ^ payload ^ expired[0]);
        long key = Math.floorMod(payload, KEYS);
        long[] tally = tallies.get(key);
        tally = tally == null ? new long[1] : tally;
        tally[0] += payload;
        tallies.put(key, tally);
        hash = Choices.mix(hash ^ tally[0]);
        tally[0] = -1; // a state holds what a value was when it was put
        if ((hash >> 8 & 7) == 0) {
            tallies.remove(Math.floorMod(hash >> 16, (long) KEYS));
        }
        long[] all = {tallies.size()};
        tallies.forEach((each, value) -> all[0] = Choices.mix(all[0] ^ each ^ value[0]));
        hash = Choices.mix(hash ^ all[0]);
        total[0]++;
        total[1] = hash;
        totals.put(0L, total);
        long first = (total[0] << HASH_BITS | hash & (1L << HASH_BITS) - 1) << 1;
        return switch ((int) (hash & 3)) {
            case 0 -> NOTHING;
            case 3 -> new long[] {first, first | 1};
            default -> new long[] {first};
        };
    }
}
