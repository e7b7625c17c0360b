package dev.baton.lab.doctor;

import java.util.List;

/**
 * What a thread pays for having rested. Immutable, thread-safe.
 *
 * @param slackNanos by which the kernel may delay a timer of ours; null when it does not tell
 * @param pausedNanos that a thread asked to sleep
 * @param pauses how long it slept
 * @param wakes from an unpark in one thread until the other ran
 */
record Wakes(Long slackNanos, long pausedNanos, Quantiles pauses, Quantiles wakes) implements Reading {
    private static final long USUAL_SLACK = 1_000;

    /** Keeps cores from states that they leave in more than 10 us; on a virtual machine that is the host's to say. */
    private static final String REST = "sudo cpupower idle-set -D 10, or ./baton ... --idle spin";

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
                "a pause of " + Figures.time(pausedNanos) + " took " + pauses.words()
                        + (slackNanos == null ? "" : "; timer slack " + Figures.time(slackNanos)),
                "loops that pause answer so much later; those that spin do not care",
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
}
