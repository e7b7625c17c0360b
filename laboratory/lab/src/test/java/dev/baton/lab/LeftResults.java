package dev.baton.lab;

import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The results of trials that commands have left somewhere below a directory. */
final class LeftResults {
    private static final String SUFFIX = ".trial.json";

    private LeftResults() {}

    /** All of them, by the names of their files. */
    static List<TrialResult> below(Path directory) throws IOException {
        return below(directory, "");
    }

    /** Those of trials whose name ends like this. */
    static List<TrialResult> below(Path directory, String end) throws IOException {
        List<TrialResult> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(each -> each.toString().endsWith(end + SUFFIX))
                    .sorted()
                    .toList()) {
                all.add(ResultFolder.readTrial(file));
            }
        }
        return all;
    }
}
