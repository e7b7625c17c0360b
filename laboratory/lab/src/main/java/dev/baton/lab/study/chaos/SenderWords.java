package dev.baton.lab.study.chaos;

/**
 * What the sender's process says, and who listens to it: the newest message that the transport vouched for, which no
 * later life of the sender may find missing. Thread-safe.
 */
final class SenderWords {
    /** Part of the line that says that it is ready. */
    static final String READY = "sends from ";

    private static final String BASE = " base ";
    private static final String STORED = "stored ";

    private long base;
    private long stored;
    private long takenBack;

    static String began(long first, long baseNanos) {
        return READY + first + BASE + baseNanos;
    }

    static String stored(long sequence) {
        return STORED + sequence;
    }

    /** Takes a line that the process said; others than these are ignored. */
    synchronized void onLine(String line) {
        if (line.startsWith(STORED)) {
            stored = Math.max(stored, Long.parseLong(line.substring(STORED.length())));
        } else if (line.startsWith(READY)) {
            int at = line.indexOf(BASE);
            long first = Long.parseLong(line.substring(READY.length(), at));
            base = Long.parseLong(line.substring(at + BASE.length()));
            takenBack += Math.max(0, stored - (first - 1));
        }
    }

    /** When the schedule began; 0: not yet. */
    synchronized long baseNanos() {
        return base;
    }

    /** The newest message known to be stored. */
    synchronized long stored() {
        return stored;
    }

    /** Messages that had been vouched for and were not there when the sender started again. */
    synchronized long takenBack() {
        return takenBack;
    }
}
