package dev.baton.test;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** What one hostile run is subjected to, and the chance that it obeys. Single-threaded. */
final class Conditions {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final int MAX_KILLS = 12;
    private static final int MAX_FAILURES = 8;
    private static final int STEPS = 60;

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

    /** Nothing happens. */
    static Conditions none() {
        return new Conditions(EnumSet.noneOf(Hardship.class), new SplittableRandom(0));
    }

    /** Run 0 is undisturbed, as many as there are hardships have one of them, the others some. */
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

    /** A run with these hardships. */
    static Conditions with(TestSeed seed, int run, Set<Hardship> hardships) {
        return new Conditions(hardships, random(seed, run));
    }

    private static SplittableRandom random(TestSeed seed, int run) {
        return new SplittableRandom(seed.base() * GOLDEN + run);
    }

    boolean has(Hardship hardship) {
        return !isCalm && hardships.contains(hardship);
    }

    /** Whether nothing is held back for a while, so that what is on its way arrives. Kills and failures go on. */
    void calm(boolean nothingIsHeldBack) {
        isCalm = nothingIsHeldBack;
    }

    /** Nothing is killed and nothing fails any more. */
    void peace() {
        killsLeft = 0;
        failuresLeft = 0;
    }

    /** A life begins. */
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

    /** Whether the process is killed at this step. */
    boolean isKilledNow() {
        if (killsLeft == 0 || --stepsUntilKill > 0) {
            return false;
        }
        killsLeft--;
        return true;
    }

    /** Whether this call fails. */
    boolean failsNow() {
        if (failuresLeft == 0 || random.nextInt(16) != 0) {
            return false;
        }
        failuresLeft--;
        return true;
    }

    /** Whether this claim fails, for a retry. */
    boolean isRetriedNow() {
        return has(Hardship.RETRIES) && random.nextInt(8) == 0;
    }

    /** A number from 0 to {@code bound - 1}. */
    int next(int bound) {
        return random.nextInt(bound);
    }
}
