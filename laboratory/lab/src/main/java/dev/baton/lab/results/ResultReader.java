package dev.baton.lab.results;

import dev.baton.measuring.data.Histograms;
import dev.baton.operations.settings.Checksum;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads a results folder as far as it is reliable. Each file that is missing, truncated, from a newer version or altered causes a complaint
 * with its name; all other files are read.
 *
 * <p>Files of versions without checksums are accepted when they can be parsed. {@code experiment.json} contains the checksums of all others
 * and has none itself: they detect accidents and careless edits, not forgeries. Confined to one thread.
 */
public final class ResultReader {
    /** The end of the name of a trial that is one of several processes. */
    private static final Pattern PART = Pattern.compile("-p\\d+$");

    private final ResultFolder folder;
    private final List<TrialResult> trials = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    private ResultReader(Path folder) {
        this.folder = new ResultFolder(folder);
    }

    /** Reads the folder; defects are complaints in the result, never exceptions. */
    public static ReadExperiment read(Path folder) {
        ResultReader reader = new ResultReader(folder);
        Experiment experiment = reader.readAll();
        return new ReadExperiment(folder, experiment, reader.trials, reader.complaints);
    }

    /** Reads a trial that no experiment lists. */
    public static ReadExperiment readAlone(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        ResultReader reader = new ResultReader(folder);
        reader.readTrial(file, Map.of());
        return new ReadExperiment(folder, null, reader.trials, reader.complaints);
    }

    private Experiment readAll() {
        if (!Files.isDirectory(folder.path())) {
            complaints.add("there is no folder " + folder.path());
            return null;
        }
        Experiment experiment = readExperiment();
        if (experiment == null) {
            List<Path> files = trialFiles();
            if (files.isEmpty()) {
                complaints.clear();
                complaints.add(
                        folder.path() + " is not a folder of an experiment; name one that contains experiment.json");
            }
            files.stream().filter(file -> !isPart(file, files)).forEach(file -> readTrial(file, Map.of()));
            return null;
        }
        Set<String> known = new HashSet<>();
        for (Experiment.Entry entry : experiment.trials()) {
            known.add(entry.id());
            known.add(stem(entry));
            readEntry(entry);
        }
        trialFiles().stream().filter(file -> !isKnown(file, known)).forEach(this::complainOfStranger);
        return experiment;
    }

    private Experiment readExperiment() {
        Path file = folder.experimentFile();
        if (!Files.isRegularFile(file)) {
            complaints.add(file + " is missing; the trials are shown without it, and their checksums are unknown");
            return null;
        }
        try {
            return folder.readExperiment();
        } catch (IOException | RuntimeException unreadable) {
            complaints.add(complaint(file, unreadable));
            return null;
        }
    }

    private void readEntry(Experiment.Entry entry) {
        if (entry.file() != null) {
            Path file = inside(entry.file());
            if (file == null) {
                complaints.add(folder.experimentFile() + " names the file '" + entry.file()
                        + "', which is not in its folder; it is omitted");
            } else {
                readTrial(file, entry.checksums());
            }
        }
        for (String name : entry.checksums().keySet()) {
            Path file = inside(name);
            if (file != null && !name.equals(entry.file()) && !name.equals(stem(entry) + ".hlog")) {
                check(file, entry.checksums()); // of the processes that shared the trial
            }
        }
    }

    /** Returns the stem of the names of a trial's files: its id, unless that was altered. */
    private static String stem(Experiment.Entry entry) {
        boolean isNamed = entry.file() != null && entry.file().endsWith(ResultFolder.TRIAL);
        return isNamed ? entry.file().substring(0, entry.file().length() - ResultFolder.TRIAL.length()) : entry.id();
    }

    private void readTrial(Path file, Map<String, String> checksums) {
        if (!check(file, checksums)) {
            return;
        }
        try {
            TrialResult result = ResultFolder.readTrial(file);
            result.requireWhole();
            TrialResult decoded = hasWholeHistograms(file, result) ? result : result.withoutHistograms();
            trials.add(hasWholeLog(decoded, checksums) ? decoded : decoded.withoutLog());
        } catch (IOException | RuntimeException unreadable) {
            complaints.add(complaint(file, unreadable));
        }
    }

    /** Returns whether all histograms that it has can be decoded. */
    private boolean hasWholeHistograms(Path file, TrialResult result) {
        Histograms all = result.histograms();
        if (all == null) {
            return true;
        }
        try {
            for (String each : Arrays.asList(all.response(), all.service(), all.sendDelay())) {
                if (each != null) {
                    Histograms.decoded(each);
                }
            }
            return true;
        } catch (IllegalArgumentException malformed) {
            complaints.add(file + ": a histogram cannot be decoded: " + malformed.getMessage()
                    + "; its histograms are omitted");
            return false;
        }
    }

    /** {@return whether there is a usable log} Also true for a trial that never had one. */
    private boolean hasWholeLog(TrialResult result, Map<String, String> checksums) {
        if (result.hlog() == null) {
            return true;
        }
        Path log = inside(result.hlog());
        if (log == null) {
            complaints.add(folder.trialFile(result.plan().id()) + " names the interval log '" + result.hlog()
                    + "', which is not in its folder; it is omitted");
            return false;
        }
        if (!check(log, checksums)) {
            return false;
        }
        return checksums.containsKey(result.hlog()) || isReadable(log);
    }

    private boolean isReadable(Path log) {
        try {
            for (String tag : IntervalLog.TAGS) {
                IntervalLog.read(log, tag, (start, length, decoded) -> {});
            }
            return true;
        } catch (IOException | RuntimeException malformed) {
            complaints.add(complaint(log, malformed));
            return false;
        }
    }

    /** {@return whether the file exists and, as far as that is known, is unaltered} */
    private boolean check(Path file, Map<String, String> checksums) {
        String expected = checksums.get(file.getFileName().toString());
        if (!Files.isRegularFile(file)) {
            complaints.add(file + " is missing");
            return false;
        }
        try {
            if (expected == null || expected.equals(Checksum.of(file))) {
                return true;
            }
            complaints.add(file + " was changed after it was written: its checksum is not the one in "
                    + folder.experimentFile().getFileName() + "; it is omitted");
        } catch (IOException unreadable) {
            complaints.add(complaint(file, unreadable));
        }
        return false;
    }

    /** A file of that name in the folder; null for a name that leads elsewhere. */
    private Path inside(String name) {
        boolean isPlain = !name.isEmpty() && name.indexOf('/') < 0 && name.indexOf('\\') < 0 && name.indexOf('\0') < 0;
        return isPlain && !name.equals("..") ? folder.path().resolve(name) : null;
    }

    private List<Path> trialFiles() {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder.path(), "*" + ResultFolder.TRIAL)) {
            all.forEach(files::add);
        } catch (IOException | RuntimeException unreadable) {
            complaints.add(complaint(folder.path(), unreadable));
        }
        files.sort(null);
        return files;
    }

    /** {@return whether it is one process's part of a trial whose whole is among the files} */
    private boolean isPart(Path file, List<Path> files) {
        String whole = PART.matcher(id(file)).replaceFirst("");
        return !whole.equals(id(file)) && files.contains(folder.trialFile(whole));
    }

    private static String id(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - ResultFolder.TRIAL.length());
    }

    private static boolean isKnown(Path file, Set<String> known) {
        String id = id(file);
        return known.contains(id) || known.contains(PART.matcher(id).replaceFirst(""));
    }

    private void complainOfStranger(Path file) {
        complaints.add(file + " is not a trial of this experiment; it is omitted");
    }

    private static String complaint(Path file, Exception failure) {
        String message = String.valueOf(failure.getMessage());
        return message.startsWith(file.toString()) ? message : "cannot read " + file + ": " + message;
    }
}
