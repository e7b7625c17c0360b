package dev.baton.lab.page;

import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.ResultReader;
import dev.baton.lab.results.TrialResult;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** An {@code index.html}: a line for each experiment below a folder, with links to their reports. Stateless, thread-safe. */
public final class Gallery {
    public static final String FILE = "index.html";

    private static final int DEEPEST = 6;
    private static final List<String> SCRIPTS = List.of("dom.js", "units.js", "theme.js", "plot.js", "gallery.js");

    private Gallery() {}

    /** The result of writing a gallery. @param complaints files that could not be read or written, one line each */
    public record Written(int experiments, List<String> complaints) {}

    /**
     * An experiment in the gallery.
     *
     * @param report path of its page, relative to the gallery; empty without one
     * @param hosts its processors and systems
     * @param verdicts number of its trials by verdict
     */
    record Entry(
            String name,
            String report,
            String command,
            String date,
            String asked,
            List<String> answers,
            Collection<String> hosts,
            Collection<String> jvms,
            Collection<String> transports,
            List<String> verdicts,
            String grade,
            int complaints) {}

    record Data(String title, String version, List<Entry> experiments) {}

    /**
     * Reads all experiments below a folder, writes the report of each with trials that has none or one older than its last trial, and an
     * index of all.
     *
     * @throws IOException when the index cannot be written
     */
    public static Written write(Path above, Path page, String version) throws IOException {
        List<Path> folders = folders(above);
        List<String> complaints = new ArrayList<>();
        List<Entry> entries = new ArrayList<>();
        for (Path folder : folders) {
            entries.add(entry(folder, page, version, complaints));
        }
        if (!entries.isEmpty()) {
            entries.sort(Comparator.comparing(Entry::date).reversed());
            Data data = new Data(above.toAbsolutePath().normalize().getFileName() + "", version, entries);
            PrivateFile.write(page, Document.of("Experiments - Baton", SCRIPTS, data));
        }
        return new Written(entries.size(), complaints);
    }

    private static Entry entry(Path folder, Path page, String version, List<String> complaints) {
        ReadExperiment read = ResultReader.read(folder);
        complaints.addAll(read.complaints());
        Path report = folder.resolve(Report.FILE);
        boolean hasContent = !read.trials().isEmpty() || !read.complaints().isEmpty();
        if (hasContent && isOutdated(report, new ResultFolder(folder).experimentFile())) {
            try {
                Report.write(List.of(folder), report, version);
            } catch (IOException | RuntimeException failed) {
                complaints.add("cannot write " + report + ": " + failed.getMessage());
            }
        }
        Experiment experiment = read.experiment();
        Headline headline = ExperimentData.headline(read, Names.among(experiment, read.trials()));
        return new Entry(
                folder.toAbsolutePath().normalize().getFileName().toString(),
                hasContent && Files.isRegularFile(report) ? ExperimentData.Link.to(report, page) : "",
                ExperimentData.command(experiment),
                experiment == null || experiment.startedAt() == null ? "" : experiment.startedAt(),
                headline.asked(),
                headline.answers(),
                distinct(read, Gallery::host),
                distinct(read, Gallery::jvm),
                distinct(read, trial -> trial.plan().subject().transport()),
                distinct(read, Verdicts::word).stream().toList(),
                experiment == null || experiment.grade() == null
                        ? null
                        : experiment.grade().letter(),
                read.complaints().size());
    }

    private static boolean isOutdated(Path report, Path experiment) {
        try {
            return !Files.isRegularFile(report)
                    || Files.getLastModifiedTime(report).compareTo(Files.getLastModifiedTime(experiment)) < 0;
        } catch (IOException unreadable) {
            return true;
        }
    }

    private static Collection<String> distinct(ReadExperiment read, Function<TrialResult, String> figure) {
        Collection<String> all = new TreeSet<>();
        read.trials().forEach(trial -> all.add(figure.apply(trial)));
        return all;
    }

    private static String host(TrialResult trial) {
        return (trial.environment().cpuModel() == null
                        ? "unknown processor"
                        : trial.environment().cpuModel())
                + ", " + trial.environment().processors() + " cores, "
                + trial.environment().kernel();
    }

    private static String jvm(TrialResult trial) {
        return trial.environment().jvm().vendor() + " "
                + trial.environment().jvm().version();
    }

    /** Returns the folders of experiments; links are not followed. */
    private static List<Path> folders(Path above) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(above, Set.of(), DEEPEST, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                if (Files.isRegularFile(new ResultFolder(folder).experimentFile())) {
                    found.add(folder);
                    return FileVisitResult.SKIP_SUBTREE;
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
                return FileVisitResult.CONTINUE;
            }
        });
        found.sort(Comparator.naturalOrder());
        return found;
    }
}
