package dev.baton.lab.study.chaos;

import java.util.List;

/**
 * What {@code baton chaos} leaves in {@code chaos.json}. Immutable, thread-safe.
 *
 * @param schema version of this form
 * @param commandLine as typed
 * @param repeat the command that draws the same faults again
 * @param seed of the schedules and the payloads
 * @param rate messages per second
 * @param runs one per set-up
 * @param remarks what is to be known, such as a kind that this machine does not allow
 */
public record ChaosResult(
        int schema,
        List<String> commandLine,
        String repeat,
        long seed,
        int rate,
        List<RunOutcome> runs,
        List<String> remarks) {
    /** Raised when a component changes its meaning; new components do not raise it. */
    public static final int SCHEMA = 1;

    /** Name of the file. */
    public static final String FILE = "chaos.json";

    public ChaosResult {
        commandLine = List.copyOf(commandLine);
        runs = List.copyOf(runs);
        remarks = List.copyOf(remarks);
    }

    /** Whether all that was planned was done. */
    public boolean isConclusive() {
        return runs.stream().allMatch(RunOutcome::isConclusive);
    }

    /** Whether nothing is wrong anywhere. */
    public boolean hasPassed() {
        return runs.stream().allMatch(RunOutcome::hasPassed);
    }
}
