package dev.baton.lab.command;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The duration of a trial, and its seed: options that every measuring command shares. */
@OptionGroup(Heading.LOAD)
public final class CourseOptions {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** A result has an entry for each second, some 40 MB for a day; beyond 64 MB none is read back. */
    private static final Duration LONGEST = Duration.ofHours(24);

    /** Time for a backlog to arrive; what comes later counts as lost. */
    private static final Duration DRAIN = Duration.ofSeconds(10);

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = {"time before the recording (default: ${DEFAULT-VALUE})", "messages are sent at the same rate"
            })
    private Duration warmup;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "time that is recorded (default: ${DEFAULT-VALUE})")
    private Duration duration;

    @OptionGroup(Heading.EXPERT)
    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "seed of all random values (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--quick",
            description = {
                "exploratory: short trials, marked as provisional",
                "--warmup and --duration are shorter unless they are set"
            })
    private boolean isQuick;

    /** Messages at even intervals, so many per second. */
    public Load load(BigDecimal perSecond) {
        Checks.require(
                perSecond.compareTo(BigDecimal.valueOf(Load.LEAST_RATE)) >= 0
                        && perSecond.compareTo(BigDecimal.valueOf(Load.MOST_RATE)) <= 0,
                "--rate " + perSecond.toPlainString()
                        + " is out of range; 0.001 to 10000000 messages per second, max or 0 where the command takes them");
        return new Load(perSecond.doubleValue(), Load.Arrivals.EVEN, seed);
    }

    /** Returns the phases of the command line; for exploratory trials these defaults. @param command to which the options belong */
    public Phases phases(CommandSpec command, Duration quickWarmup, Duration quickDuration) {
        return phases(
                isQuick && !isTyped(command, "--warmup") ? quickWarmup : warmup,
                isQuick && !isTyped(command, "--duration") ? quickDuration : duration);
    }

    /** Returns whether the command line sets an option of a command. */
    public static boolean isTyped(CommandSpec command, String option) {
        ParseResult typed = command.commandLine().getParseResult();
        return typed != null && typed.hasMatchedOption(option);
    }

    /** Returns the phases, with the command's own times where the command line has none. */
    public Phases phases(Duration before, Duration recorded) {
        Checks.time("--warmup", before, SHORTEST, LONGEST);
        Checks.time("--duration", recorded, SHORTEST, LONGEST);
        Phases phases = new Phases(before.toNanos(), recorded.toNanos(), DRAIN.toNanos());
        return isQuick ? phases.provisional() : phases;
    }

    public Duration warmup() {
        return warmup;
    }

    public Duration duration() {
        return duration;
    }

    public long seed() {
        return seed;
    }

    public boolean isQuick() {
        return isQuick;
    }
}
