package dev.baton.run;

/** The arithmetic of {@link Idle#backoff}. */
final class Backoff {
    private static final int SPINS = 64;
    private static final long SHORTEST_NANOS = 50_000;
    private static final int MOST_DOUBLINGS = 5;
    private static final long LONGEST_NANOS = 1_000_000;

    private Backoff() {}

    static long pauseNanos(int idleSweeps) {
        if (idleSweeps <= SPINS) {
            return Idle.SPIN;
        }
        int doublings = Math.min(idleSweeps - SPINS - 1, MOST_DOUBLINGS);
        return Math.min(SHORTEST_NANOS << doublings, LONGEST_NANOS);
    }
}
