package dev.baton.benchmark.compare;

import dev.baton.benchmark.launch.Refusal;
import dev.baton.benchmark.result.Experiment;
import dev.baton.benchmark.result.ResultFolder;
import dev.baton.benchmark.result.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One side of a comparison: the trials of an experiment, repetitions of the same thing together. Immutable, thread-safe.
 *
 * @param path as typed: an experiment's folder, or one trial's file
 * @param experiment null when the trial's folder has none
 * @param series trials by what was measured, such as chronicle-reference
 */
public record Side(Path path, Experiment experiment, Map<String, List<Sample>> series) {
    private static final String TRIAL = ".trial.json";

    /** In a matrix, before a trial's name: its row and its round. */
    private static final Pattern ROUND = Pattern.compile("^\\d+\\.\\d+-");

    /** The second half of a matrix' A/A pair runs the same as the first. */
    private static final Pattern AGAIN = Pattern.compile("-again$");

    public Side {
        series = Collections.unmodifiableMap(new LinkedHashMap<>(series));
    }

    /**
     * Reads what was left there. Trials that were interrupted are left out.
     *
     * @throws Refusal when there is nothing to compare
     */
    public static Side read(Path path) {
        try {
            if (Files.isRegularFile(path)) {
                return of(path, experiment(path.toAbsolutePath().getParent()), List.of(path));
            }
            if (!Files.isDirectory(path)) {
                throw Refusal.usage("there is no " + path + "; name an experiment's folder, such as one below results,"
                        + " or a trial's file");
            }
            try (Stream<Path> files = Files.list(path)) {
                return of(
                        path,
                        experiment(path),
                        files.filter(file -> file.toString().endsWith(TRIAL))
                                .sorted()
                                .toList());
            }
        } catch (IOException unreadable) {
            throw new Refusal(
                    Refusal.Kind.USAGE, "cannot compare " + path + ": " + unreadable.getMessage(), unreadable);
        }
    }

    private static Experiment experiment(Path folder) throws IOException {
        ResultFolder results = new ResultFolder(folder);
        return Files.isRegularFile(results.experimentFile()) ? results.readExperiment() : null;
    }

    private static Side of(Path path, Experiment experiment, List<Path> trials) throws IOException {
        Map<String, List<Sample>> series = new LinkedHashMap<>();
        for (Path trial : trials) {
            Sample sample = Sample.read(trial);
            if (sample.result().outcome().verdict() != Verdict.INTERRUPTED) {
                series.computeIfAbsent(name(sample.result().plan().id()), name -> new ArrayList<>())
                        .add(sample);
            }
        }
        if (series.isEmpty()) {
            throw Refusal.usage(path + " holds no finished trial");
        }
        return new Side(path, experiment, series);
    }

    private static String name(String id) {
        return AGAIN.matcher(ROUND.matcher(id).replaceFirst("")).replaceFirst("");
    }
}
