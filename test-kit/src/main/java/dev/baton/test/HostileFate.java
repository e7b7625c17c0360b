package dev.baton.test;

/** What befalls the transport in a hostile run. Single-threaded. */
final class HostileFate extends Fate {
    private static final int MAX_POLL = 4;
    private static final int MAX_CAPACITY = 6;

    private final Conditions conditions;

    HostileFate(Conditions conditions) {
        this.conditions = conditions;
    }

    @Override
    int polled(int limit) {
        boolean isCut = conditions.has(Hardship.BATCHES) || conditions.has(Hardship.LATE_TICKS);
        return isCut ? Math.min(limit, 1 + conditions.next(MAX_POLL)) : limit;
    }

    @Override
    int capacity() {
        return conditions.has(Hardship.BACK_PRESSURE) ? conditions.next(MAX_CAPACITY) : UNLIMITED;
    }

    @Override
    boolean storesLate() {
        return conditions.hardships.contains(Hardship.LATE_STORAGE);
    }

    @Override
    int arriving(int flushes) {
        return conditions.has(Hardship.LATE_STORAGE) ? conditions.next(flushes + 1) : flushes;
    }

    @Override
    int arrivingAfterDeath(int flushes) {
        return flushes == 0 ? 0 : conditions.next(flushes + 1);
    }

    @Override
    int remembered(int positions) {
        return conditions.next(positions);
    }

    @Override
    byte garbage() {
        return conditions.poison();
    }

    @Override
    void step(MemoryTransport transport, String what) {
        if (conditions.isKilledNow()) {
            transport.kill();
            throw new Halt("killed at: " + what);
        }
    }
}
