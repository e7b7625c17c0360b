package dev.baton.benchmark.command;

import dev.baton.benchmark.plan.Phases;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How long a trial lasts, and what is drawn in it: options that every measuring command shares. */
final class CourseOptions {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(7);

    /** Time for a backlog to arrive; what comes later counts as lost. */
    private static final Duration DRAIN = Duration.ofSeconds(10);

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = TimeConverter.class,
            description = "time at the same rate before anything is recorded (default: ${DEFAULT-VALUE})")
    private Duration warmup;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = TimeConverter.class,
            description = "time that is recorded (default: ${DEFAULT-VALUE})")
    private Duration duration;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "of everything drawn at random (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--quick",
            description = "a first look: shorter times where --warmup and --duration are not typed, and marked as"
                    + " provisional")
    private boolean isQuick;

    Phases phases() {
        return phases(warmup, duration);
    }

    /** With times of the command's own in place of what was not typed. */
    Phases phases(Duration before, Duration recorded) {
        Checks.time("--warmup", before, SHORTEST, LONGEST);
        Checks.time("--duration", recorded, SHORTEST, LONGEST);
        return new Phases(before.toNanos(), recorded.toNanos(), DRAIN.toNanos());
    }

    Duration warmup() {
        return warmup;
    }

    Duration duration() {
        return duration;
    }

    long seed() {
        return seed;
    }

    boolean isQuick() {
        return isQuick;
    }
}
