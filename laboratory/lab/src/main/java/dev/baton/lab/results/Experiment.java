package dev.baton.lab.results;

import dev.baton.measuring.data.TrialEnvironment;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Trials planned together: the content of an {@code experiment.json}.
 *
 * @param schema {@value #SCHEMA} for files written by this version; readers refuse a newer one
 * @param commandLine without secrets
 * @param startedAt ISO-8601, UTC
 * @param endedAt null while it runs
 * @param seed of the trials' order and of their loads
 * @param revision of the source; null when it is unknown
 * @param version of Baton
 * @param environment of the process that ran the trials
 * @param grade of the machine; null when it was not determined
 * @param selftest identity of the self-test of this laboratory; null in files of earlier versions
 * @param trials in the order in which they ran
 */
public record Experiment(
        int schema,
        List<String> commandLine,
        String startedAt,
        String endedAt,
        long seed,
        Revision revision,
        String version,
        TrialEnvironment environment,
        Grade grade,
        String selftest,
        List<Entry> trials) {

    public static final int SCHEMA = 1;

    public Experiment {
        commandLine = List.copyOf(commandLine);
        trials = trials == null ? List.of() : List.copyOf(trials);
    }

    /**
     * The revision of the source.
     *
     * @param isDirty whether files differed from the commit
     */
    public record Revision(String commit, boolean isDirty) {}

    /**
     * One trial of the experiment.
     *
     * @param id the plan's
     * @param file its {@code trial.json}, relative to the experiment's folder; null when it left none
     * @param outcome as in that file; null while it has not run
     * @param checksums SHA-256 of the trial's files in lower-case hexadecimal, by name; empty in files of earlier versions
     * @param launch the beginning of the SHA-256 of what its plan does not tell: JVM, flags, brokers and processes, without secrets; null in
     * files of earlier versions
     */
    public record Entry(String id, String file, Outcome outcome, Map<String, String> checksums, String launch) {
        public Entry {
            checksums = checksums == null
                    ? Map.of()
                    : Collections.unmodifiableMap(new TreeMap<>(checksums)); // the same file on every run
        }
    }
}
