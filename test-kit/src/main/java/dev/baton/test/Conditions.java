package dev.baton.test;

import dev.baton.test.guard.Halt;
import dev.baton.test.memory.MemoryProcess;
import dev.baton.test.memory.TransportFaults;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** The hardships of one hostile run, and the random numbers that decide when each one strikes. Single-threaded. */
final class Conditions implements TransportFaults {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final int MAX_KILLS = 12;
    private static final int MAX_FAILURES = 8;
    private static final int STEPS = 60;
    private static final int MAX_POLL = 4;
    private static final int MAX_CAPACITY = 6;

    final Set<Hardship> hardships;
    private final SplittableRandom random;
    private int killsLeft;
    private int failuresLeft;
    private long stepsUntilKill;
    private boolean isCalm;
    private long clockShift;
    private final byte poison;

    private Conditions(Set<Hardship> hardships, SplittableRandom random) {
        this.hardships = hardships;
        this.random = random;
        killsLeft = hardships.contains(Hardship.KILLS) ? MAX_KILLS : 0;
        failuresLeft = hardships.contains(Hardship.FAILURES) ? MAX_FAILURES : 0;
        poison = (byte) random.nextInt();
    }

    /** {@return conditions without hardships} */
    static Conditions none() {
        return new Conditions(EnumSet.noneOf(Hardship.class), new SplittableRandom(0));
    }

    /** {@return the conditions of a run: none for run 0, one hardship for each of the next runs, some of them for all others} */
    static Conditions of(TestSeed seed, int run, Set<Hardship> allowed) {
        SplittableRandom random = random(seed, run);
        Set<Hardship> chosen = EnumSet.noneOf(Hardship.class);
        List<Hardship> each = new ArrayList<>(allowed);
        if (run > 0 && run <= each.size()) {
            chosen.add(each.get(run - 1));
        } else if (run > 0) {
            each.stream().filter(any -> random.nextBoolean()).forEach(chosen::add);
        }
        return new Conditions(chosen, random);
    }

    /** {@return the conditions of a run with these hardships} */
    static Conditions with(TestSeed seed, int run, Set<Hardship> hardships) {
        return new Conditions(hardships, random(seed, run));
    }

    private static SplittableRandom random(TestSeed seed, int run) {
        return new SplittableRandom(seed.base() * GOLDEN + run);
    }

    boolean has(Hardship hardship) {
        return !isCalm && hardships.contains(hardship);
    }

    /** Suspends hardships that hold messages back, so that those in flight arrive. Kills and failures continue. */
    void calm(boolean nothingIsHeldBack) {
        isCalm = nothingIsHeldBack;
    }

    /** Ends kills and failures for the rest of the run. */
    void peace() {
        killsLeft = 0;
        failuresLeft = 0;
    }

    /** Draws the conditions of the next life. */
    void beginLife() {
        stepsUntilKill = 1 + random.nextInt(STEPS * (1 + MAX_KILLS - killsLeft));
        clockShift = hardships.contains(Hardship.CLOCK) ? random.nextLong(3_600_000_000_000L) : 0;
    }

    long clockShift() {
        return clockShift;
    }

    byte poison() {
        return poison;
    }

    private boolean isKilledNow() {
        if (killsLeft == 0 || --stepsUntilKill > 0) {
            return false;
        }
        killsLeft--;
        return true;
    }

    /** {@return whether this call fails} */
    boolean failsNow() {
        if (failuresLeft == 0 || random.nextInt(16) != 0) {
            return false;
        }
        failuresLeft--;
        return true;
    }

    /** {@return whether this claim fails, so that the callback is retried} */
    boolean isRetriedNow() {
        return has(Hardship.RETRIES) && random.nextInt(8) == 0;
    }

    /** {@return a random number from 0 to {@code bound - 1}} */
    int next(int bound) {
        return random.nextInt(bound);
    }

    @Override
    public int polled(int limit) {
        boolean isCut = has(Hardship.BATCHES) || has(Hardship.LATE_TICKS);
        return isCut ? Math.min(limit, 1 + next(MAX_POLL)) : limit;
    }

    @Override
    public int capacity() {
        return has(Hardship.BACK_PRESSURE) ? next(MAX_CAPACITY) : UNLIMITED;
    }

    @Override
    public boolean storesLate() {
        return hardships.contains(Hardship.LATE_STORAGE);
    }

    @Override
    public int arriving(int flushes) {
        return has(Hardship.LATE_STORAGE) ? next(flushes + 1) : flushes;
    }

    @Override
    public int arrivingAfterDeath(int flushes) {
        return flushes == 0 ? 0 : next(flushes + 1);
    }

    @Override
    public int remembered(int positions) {
        return next(positions);
    }

    @Override
    public byte garbage() {
        return poison;
    }

    @Override
    public void step(MemoryProcess process, String name) {
        if (isKilledNow()) {
            process.kill();
            throw new Halt("killed at: " + name);
        }
    }
}
