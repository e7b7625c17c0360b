package dev.baton.test;

/** What a transport in memory is subjected to. Nothing by default. Confined to one thread, unless it is this class. */
class Fate {
    /** Nothing happens. */
    static final Fate NONE = new Fate();

    /** Commits that a writer takes between two flushes. */
    static final int CAPACITY = 4096;

    /** What {@link #capacity} returns where nothing but that limits a writer. */
    static final int UNLIMITED = Integer.MAX_VALUE;

    Fate() {}

    /** The most frames of a poll. */
    int polled(int limit) {
        return limit;
    }

    /** Commits that a writer takes until the connection's next turn. */
    int capacity() {
        return UNLIMITED;
    }

    /** Whether what is flushed is stored later. */
    boolean storesLate() {
        return false;
    }

    /** How many of the flushes on their way are stored now. */
    int arriving(int flushes) {
        return flushes;
    }

    /** How many of the flushes on their way are stored though their writer was killed. */
    int arrivingAfterDeath(int flushes) {
        return 0;
    }

    /** Which of the positions that a consumer has acknowledged, the newest last, is remembered though its reader was killed. */
    int remembered(int positions) {
        return positions - 1;
    }

    /** What memory holds that was claimed and not written yet. */
    byte garbage() {
        return (byte) 0xdb;
    }

    /** The transport is about to do one more step; what this throws the step throws. */
    void step(MemoryTransport transport, String what) {}
}
