package dev.baton.lab.doctor;

import dev.baton.measuring.Threads;
import dev.baton.measuring.machine.KernelTree;
import dev.baton.operations.terminal.Units;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * The delay of a thread after its rest. Immutable, thread-safe.
 *
 * @param slackNanos by which the kernel may delay our timers; null when unknown
 * @param pausedNanos requested sleep of a thread
 * @param pauses actual sleeps
 * @param wakes from an unpark in one thread until the other ran
 */
record Wakes(Long slackNanos, long pausedNanos, Quantiles pauses, Quantiles wakes) implements Diagnosis.Reading {
    static final long PAUSE_NANOS = 50_000;

    /** The longest wait for one answer; a slower thread has been lost by the machine, and the measurement ends. */
    private static final long PATIENCE_NANOS = 2_000_000_000;

    private static final long USUAL_SLACK = 1_000;

    /** Keeps cores from states that they leave in more than 10 us; on a virtual machine that is the host's to say. */
    private static final String REST = "sudo cpupower idle-set -D 10, or ./baton ... --idle spin";

    static Wakes measure(KernelTree tree, long forNanos, BooleanSupplier isInterrupted) {
        Meter meter = new Meter();
        meter.sleeper.start();
        try {
            meter.run(forNanos, isInterrupted);
        } finally {
            meter.stop();
        }
        return new Wakes(
                tree.number("proc/self/timerslack_ns"),
                PAUSE_NANOS,
                Quantiles.of(meter.pauses),
                Quantiles.of(meter.wakes));
    }

    @Override
    public List<Finding> findings() {
        return List.of(pause(), wake());
    }

    private Finding pause() {
        double late = pauses.p50Nanos() - pausedNanos;
        boolean isSlack = slackNanos != null && slackNanos > USUAL_SLACK;
        return Finding.of(
                pauses.count() == 0 ? null : GradeLetter.below(late, 30_000, 100_000, 500_000, 5_000_000),
                "timer",
                "a pause of " + Units.time(pausedNanos) + " took " + pauses.words()
                        + (slackNanos == null ? "" : "; timer slack " + Units.time(slackNanos)),
                "loops that pause respond later by this time; those that spin do not",
                isSlack ? "echo 1 > /proc/$$/timerslack_ns && ./baton ..." : REST);
    }

    private Finding wake() {
        GradeLetter usual = GradeLetter.below(wakes.p50Nanos(), 15_000, 50_000, 150_000, 1_000_000);
        GradeLetter rare =
                wakes.tells(90) ? GradeLetter.below(wakes.p90Nanos(), 50_000, 150_000, 1_000_000, 5_000_000) : usual;
        return Finding.of(
                wakes.count() == 0 ? null : usual.or(rare),
                "wake-up",
                "from unpark to running " + wakes.words(),
                "every hop to a thread that sleeps costs this",
                REST);
    }

    /**
     * Measures wake-ups: a thread pauses, then wakes another one that is parked, repeatedly. Neither spins longer than a wake-up
     * takes. Confined to the thread that calls it.
     */
    private static final class Meter {
        private final Histogram pauses = new Histogram(3);
        private final Histogram wakes = new Histogram(3);
        private final Thread sleeper = new Thread(this::sleep, "baton-doctor-sleeper");
        private volatile long calledNanos; // 0: no call is open
        private volatile boolean isStopping;

        private Meter() {
            sleeper.setDaemon(true);
        }

        private void run(long forNanos, BooleanSupplier isInterrupted) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < forNanos && !isInterrupted.getAsBoolean()) {
                long before = System.nanoTime();
                LockSupport.parkNanos(PAUSE_NANOS);
                long now = System.nanoTime();
                pauses.recordValue(now - before);
                calledNanos = now == 0 ? 1 : now;
                LockSupport.unpark(sleeper);
                while (calledNanos != 0) {
                    if (System.nanoTime() - now > PATIENCE_NANOS) {
                        return;
                    }
                    Thread.yield(); // the one core that there may be is the sleeper's
                }
            }
        }

        /** Runs in the other thread; its histogram is read after it has ended. */
        private void sleep() {
            while (!isStopping) {
                LockSupport.park(this);
                long now = System.nanoTime();
                long called = calledNanos;
                if (called != 0) {
                    wakes.recordValue(Math.max(0, now - called));
                    calledNanos = 0;
                }
            }
        }

        private void stop() {
            isStopping = true;
            Threads.awaitEnd(sleeper, PATIENCE_NANOS / 1_000_000);
        }
    }
}
