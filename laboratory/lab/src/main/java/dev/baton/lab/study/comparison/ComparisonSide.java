package dev.baton.lab.study.comparison;

import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.ResultReader;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One side of a comparison: the trials of an experiment, with repetitions grouped. Immutable, thread-safe.
 *
 * @param path on the command line: an experiment's folder, or one trial's file
 * @param experiment null when the trial's folder has none
 * @param complaints one sentence for each file that is missing or altered; such trials are omitted
 * @param series trials by subject, such as chronicle-reference
 */
public record ComparisonSide(
        Path path, Experiment experiment, Map<String, List<Sample>> series, List<String> complaints) {
    /** The row and the round before a trial's name in a matrix. */
    private static final Pattern ROUND = Pattern.compile("^\\d+\\.\\d+-");

    /** The second half of a matrix' A/A pair repeats the first. */
    private static final Pattern AGAIN = Pattern.compile("-again$");

    public ComparisonSide {
        series = Collections.unmodifiableMap(new LinkedHashMap<>(series));
        complaints = List.copyOf(complaints);
    }

    /** Reads the results of a place, without interrupted trials. @throws CommandException when there are none */
    public static ComparisonSide read(Path path) {
        try {
            if (Files.isRegularFile(path)) {
                return ofTrial(path);
            }
            if (!Files.isDirectory(path)) {
                throw CommandException.usage("there is no " + path
                        + "; name an experiment's folder, such as one below results," + " or a trial's file");
            }
            ReadExperiment read = ResultReader.read(path);
            return of(path, read, read.trials(), read.complaints());
        } catch (IOException unreadable) {
            throw CommandException.usage("cannot compare " + path + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /** Reads one trial of a folder, which is read completely, as its checksums are in its experiment. */
    private static ComparisonSide ofTrial(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        String name = file.getFileName().toString();
        ReadExperiment read = ResultReader.read(folder);
        List<TrialResult> found = read.trials().stream()
                .filter(trial -> name.equals(trial.plan().id() + ResultFolder.TRIAL))
                .toList();
        List<String> complaints = read.complaints().stream()
                .filter(complaint -> complaint.contains(name)
                        || found.stream()
                                .anyMatch(
                                        trial -> complaint.contains(trial.plan().id() + ".")))
                .toList();
        if (!found.isEmpty() || !complaints.isEmpty()) {
            return of(file, read, found, complaints);
        }
        ReadExperiment alone = ResultReader.readAlone(file); // a process' share of a trial
        return of(file, read, alone.trials(), alone.complaints());
    }

    private static ComparisonSide of(Path path, ReadExperiment read, List<TrialResult> trials, List<String> complaints)
            throws IOException {
        Map<String, List<Sample>> series = new LinkedHashMap<>();
        for (TrialResult trial : trials) {
            if (trial.outcome().verdict() != Verdict.INTERRUPTED) {
                series.computeIfAbsent(name(trial.plan().id()), name -> new ArrayList<>())
                        .add(Sample.of(trial, read.folder()));
            }
        }
        if (series.isEmpty()) {
            throw CommandException.usage(path + " contains no finished trial"
                    + (complaints.isEmpty()
                            ? ""
                            : ": " + complaints.stream().distinct().collect(Collectors.joining("; "))));
        }
        return new ComparisonSide(path, read.experiment(), series, complaints);
    }

    /**
     * Complains about altered or missing files, whose figures are not compared.
     *
     * @param isForced whether a warning is enough
     * @throws CommandException when there are complaints and a warning is not enough
     */
    void requireUnaltered(boolean isForced, String command, Console console) {
        Checks.require(
                complaints.isEmpty() || isForced,
                path + " is not whole: " + String.join("; ", complaints) + "; --anyway compares the rest");
        complaints.forEach(complaint -> console.complain(command + ": " + complaint));
    }

    /** Returns the planned number of trials of a series; 0 when it is unknown. */
    int planned(String name) {
        return experiment == null
                ? 0
                : (int) experiment.trials().stream()
                        .filter(trial -> name.equals(name(trial.id())))
                        .count();
    }

    private static String name(String id) {
        return AGAIN.matcher(ROUND.matcher(id).replaceFirst("")).replaceFirst("");
    }
}
