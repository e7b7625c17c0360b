package dev.baton.lab.study.window;

import dev.baton.measuring.Mix;

/** The keys of one part's events: uniformly distributed, and known by seed and number. Immutable, thread-safe. */
final class KeyStream {
    private final long seed;
    private final int keys;

    /** @param keys of this part: 0 to one less */
    KeyStream(long seed, int part, int keys) {
        this.seed = Mix.of(seed, part);
        this.keys = keys;
    }

    int keys() {
        return keys;
    }

    /** The key of an event. */
    int of(long number) {
        return (int) ((Mix.of(seed, number) >>> Integer.SIZE) * keys >>> Integer.SIZE);
    }

    /** The keys of part {@code index} when {@code keys} are dealt to so many parts: the first ones have one more. */
    static int share(int keys, int index, int parts) {
        return keys / parts + (index < keys % parts ? 1 : 0);
    }
}
