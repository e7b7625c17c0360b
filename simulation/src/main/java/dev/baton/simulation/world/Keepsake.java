package dev.baton.simulation.world;

import dev.baton.simulation.plan.Choices;
import dev.baton.state.SnapshotInput;

/**
 * The state of a simulated service whose outputs depend on every input so far, in order. The account runs one over all inputs without an
 * interruption. Single-threaded.
 */
final class Keepsake {
    private static final long[] NOTHING = {};
    private static final int SLOTS = 24; // so that a snapshot takes several chunks
    private static final int HASH_BITS = 26;
    private static final int INDEX_BITS = 1;

    /** Numbers in the state. */
    static final int NUMBERS = SLOTS + 2;

    private final long[] slots = new long[SLOTS];
    private long count;
    private long hash;

    /** Applies an input and returns the payloads to send for it: none, one or two. */
    long[] take(long payload) {
        int slot = (int) (count % SLOTS);
        hash = Choices.mix(hash ^ slots[slot] ^ payload);
        slots[slot] = hash;
        count++;
        long first = (count << HASH_BITS | hash & (1L << HASH_BITS) - 1) << INDEX_BITS;
        return switch ((int) (hash & 3)) {
            case 0 -> NOTHING;
            case 3 -> new long[] {first, first | 1};
            default -> new long[] {first};
        };
    }

    long number(int index) {
        return index == 0 ? count : index == 1 ? hash : slots[index - 2];
    }

    void restore(SnapshotInput in) {
        count = in.getLong();
        hash = in.getLong();
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = in.getLong();
        }
    }
}
