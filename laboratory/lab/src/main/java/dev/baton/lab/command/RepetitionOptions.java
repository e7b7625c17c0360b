package dev.baton.lab.command;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The number of repetitions, and their total time: options that every command with a matrix shares. */
public final class RepetitionOptions {
    private static final int DEFAULT_TRIALS = 3;
    private static final int MOST_TRIALS = 100;
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(30);

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--trials",
            order = 1,
            paramLabel = "N",
            description = {
                "trials per configuration (default: 1; 3 in a matrix)",
                "1 to " + MOST_TRIALS
                        + "; several trials, JVMs, collectors, heaps, sets of flags or versions of libraries make a matrix, whose first row is measured twice as often"
            })
    private Integer trials;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description =
                    "refuse a matrix that would take longer than this; a search starts no trial that would end later"
                            + " (default: no limit)")
    private Duration budget;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "continue an interrupted matrix of the same command in its folder")
    private Path resumed;

    /** {@return whether more than one of each was requested} */
    boolean isSeveral() {
        return resumed != null || (trials != null && trials() > 1);
    }

    /** {@return the number of trials, by default that of a matrix} */
    public int trials() {
        return trials(DEFAULT_TRIALS);
    }

    /** {@return the number of trials, with another default} */
    public int trials(int otherwise) {
        int count = trials == null ? otherwise : trials;
        Checks.require(
                count >= 1 && count <= MOST_TRIALS, "--trials " + count + " is out of range; 1 to " + MOST_TRIALS);
        return count;
    }

    /** Returns the time limit of all repetitions; null for none. */
    public Duration budget() {
        if (budget != null) {
            Checks.time("--budget", budget, SHORTEST, LONGEST);
        }
        return budget;
    }

    /** Folder of the matrix to go on with; null for a new one. */
    public Path resumed() {
        return resumed;
    }
}
