package dev.baton.lab.results;

import dev.baton.operations.settings.Checksum;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The folder that an experiment leaves: {@code experiment.json}, and for each trial {@code <id>.trial.json} and {@code
 * <id>.hlog}. Every file appears whole, readable by its owner alone. Thread-safe.
 */
public record ResultFolder(Path path) {
    private static final String EXPERIMENT = "experiment.json";
    /** The end of the name of a trial's file, after its id. */
    public static final String TRIAL = ".trial.json";

    private static final String INTERVALS = ".hlog";

    /** Returns the path of a trial's result. */
    public Path trialFile(String id) {
        return path.resolve(id + TRIAL);
    }

    /** Returns the path of a trial's intervals. */
    public Path intervalFile(String id) {
        return path.resolve(id + INTERVALS);
    }

    /** Returns the file of a trial's flight recording, which exists if the trial was profiled. */
    public Path recordingFile(String id) {
        return path.resolve(id + ".jfr");
    }

    public Path experimentFile() {
        return path.resolve(EXPERIMENT);
    }

    public void write(TrialResult result) throws IOException {
        Json.write(trialFile(result.plan().id()), result);
    }

    public void write(Experiment experiment) throws IOException {
        Json.write(experimentFile(), experiment);
    }

    public Experiment readExperiment() throws IOException {
        Experiment experiment = Json.read(experimentFile(), Experiment.class);
        checkSchema(experimentFile(), experiment.schema(), Experiment.SCHEMA);
        return experiment;
    }

    /**
     * Reads a trial.
     *
     * @throws IOException that names the file, when it is missing, truncated, or from a newer version
     */
    public static TrialResult readTrial(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("there is no file " + file);
        }
        TrialResult result = Json.read(file, TrialResult.class);
        checkSchema(file, result.schema(), TrialResult.SCHEMA);
        return result;
    }

    /** Checksums of a trial's files by name, those of the processes that shared it among them. */
    public Map<String, String> checksums(String id) throws IOException {
        Pattern own = Pattern.compile(
                Pattern.quote(id) + "(-p\\d+)?(" + Pattern.quote(TRIAL) + "|" + Pattern.quote(INTERVALS) + ")");
        Map<String, String> checksums = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(path)) {
            for (Path file : all) {
                String name = file.getFileName().toString();
                if (own.matcher(name).matches()) {
                    checksums.put(name, Checksum.of(file));
                }
            }
        }
        return checksums;
    }

    private static void checkSchema(Path file, int found, int known) throws IOException {
        if (found < 1 || found > known) {
            throw new IOException(
                    file + " has schema version " + found + "; this version of Baton reads 1 to " + known);
        }
    }
}
