package dev.baton.lab.launch;

import dev.baton.lab.doctor.Doctor;
import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.Experiment.Revision;
import dev.baton.lab.results.Grade;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.measuring.machine.EnvironmentProbe;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Version;
import dev.baton.operations.settings.Checksum;
import dev.baton.operations.settings.Secrets;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder that an experiment leaves: {@code experiment.json}, and the files of its trials. The former is written anew
 * after each trial, so that an experiment that ends early is as readable as one that does not. Confined to one thread.
 */
public final class ExperimentFolder {
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final String OTHER_OPTIONS =
            " was measured with other options; --resume continues with the command as it was";

    /** Options that may differ when a run is continued. */
    private static final Set<String> FOLDERS = Set.of("--resume", "--out");

    private final ResultFolder folder;
    private final MadeDirectory parent;
    private final Map<String, Experiment.Entry> entries = new LinkedHashMap<>(); // by trial
    private final Map<String, TrialResult> results = new HashMap<>();
    private final Map<String, String> launches = new HashMap<>(); // by trial, of those that were planned

    /** Checksums that an earlier run wrote down, by trial and file. */
    private final Map<String, Map<String, String>> before = new HashMap<>();

    private Function<String, Experiment> content; // by the moment of its end; null before it begins
    private Experiment experiment; // as written last

    private ExperimentFolder(Path path, MadeDirectory parent) {
        this.folder = new ResultFolder(path);
        this.parent = parent;
    }

    /**
     * Creates a folder.
     *
     * @param parent of all experiments, created if missing
     * @param name kind of the experiment
     * @throws CommandException when it cannot be created
     */
    public static ExperimentFolder in(Path parent, String name) {
        String stem = name + "-" + NAME.format(Instant.now());
        return CommandException.guarded("cannot make a folder in " + parent, () -> {
            MadeDirectory all = MadeDirectory.of(parent);
            for (int attempt = 1; ; attempt++) {
                try {
                    Path folder = all.path().resolve(attempt == 1 ? stem : stem + "-" + attempt);
                    return new ExperimentFolder(PrivateFile.createDirectory(folder), all);
                } catch (FileAlreadyExistsException taken) {
                    // by another experiment of the same second
                }
            }
        });
    }

    /** Returns the experiments below a directory, by name; empty without that directory. */
    public static List<Path> below(Path parent) {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        return CommandException.guarded("cannot read " + parent, () -> {
            try (Stream<Path> all = Files.list(parent)) {
                return all.filter(Files::isDirectory)
                        .sorted(Comparator.comparing(Path::getFileName))
                        .toList();
            }
        });
    }

    /** Opens that of an earlier run, to continue it. @throws CommandException when there is no experiment in it */
    public static ExperimentFolder again(Path path) {
        try {
            Path folderPath = path.toAbsolutePath().normalize();
            Experiment earlier = new ResultFolder(folderPath).readExperiment(); // first: nothing is made where none is
            ExperimentFolder folder = new ExperimentFolder(folderPath, MadeDirectory.of(folderPath.getParent()));
            folder.experiment = earlier;
            earlier.trials().forEach(entry -> folder.before.put(entry.id(), entry.checksums()));
            return folder;
        } catch (IOException none) {
            throw CommandException.usage(
                    "--resume " + path + " contains no experiment: "
                            + (none instanceof NoSuchFileException ? "there is no " : "") + none.getMessage()
                            + "; name the folder that the interrupted run printed",
                    none);
        }
    }

    /**
     * Returns the earlier result of a trial, for {@link #again}.
     *
     * @return null for none, or when it was interrupted
     * @throws CommandException when the result under that name is of another trial
     */
    public FinishedTrial earlier(TrialPlan plan) {
        Path file = folder.trialFile(plan.id());
        if (!Files.isRegularFile(file)) {
            return null;
        }
        return CommandException.guarded("cannot continue with " + file, () -> {
            TrialResult result = left(plan, file);
            if (result.outcome().verdict() == Verdict.INTERRUPTED) {
                entries.put(plan.id(), unmeasured(plan.id()));
                write(null);
                Files.delete(file);
                Files.deleteIfExists(folder.intervalFile(plan.id()));
                return null;
            }
            FinishedTrial finished = new FinishedTrial(plan, result, null);
            add(finished);
            return finished;
        });
    }

    /** Checks that a file is unchanged since the earlier run, as continued files get new checksums. */
    private void checkUnchanged(String id) throws IOException {
        for (Map.Entry<String, String> kept : before.getOrDefault(id, Map.of()).entrySet()) {
            Path file = path().resolve(kept.getKey());
            if (!Files.isRegularFile(file) || !kept.getValue().equals(Checksum.of(file))) {
                throw new IOException(file + (Files.exists(file) ? " was changed after it was written" : " is missing")
                        + "; to measure this trial again, delete " + folder.trialFile(id));
            }
        }
    }

    /**
     * Writes the plan of the run.
     *
     * @param typed the command line
     * @param seed of the trials' order and loads
     * @param trials as far as they are known
     */
    public void begin(List<String> typed, long seed, List<PlannedTrial> trials) {
        Revision revision = revision(Path.of(System.getProperty("baton.home", ".")));
        TrialEnvironment environment = EnvironmentProbe.look(null, Secrets::redacted);
        if (experiment != null) {
            checkSame(trials);
            checkSameSetting(Secrets.redacted(typed), revision, environment);
        }
        for (PlannedTrial trial : trials) {
            launches.put(trial.plan().id(), trial.launch());
            entries.put(trial.plan().id(), left(trial.plan().id()));
        }
        String startedAt = experiment == null ? now() : experiment.startedAt();
        Grade grade = Doctor.grade(environment);
        content = endedAt -> new Experiment(
                Experiment.SCHEMA,
                Secrets.redacted(typed),
                startedAt,
                endedAt,
                seed,
                revision,
                Version.ofBaton(),
                environment,
                grade,
                SelftestCase.identity(),
                List.copyOf(entries.values()));
        write(null);
    }

    /**
     * Checks that an earlier run planned the same trials, and that what it has left of them is theirs, for {@link #again}.
     * Changes nothing.
     *
     * @throws CommandException when it did not
     */
    public void requireSame(List<PlannedTrial> trials) {
        checkSame(trials);
        for (PlannedTrial trial : trials) {
            Path file = folder.trialFile(trial.plan().id());
            if (Files.isRegularFile(file)) {
                CommandException.guarded("cannot continue with " + file, () -> left(trial.plan(), file));
            }
        }
    }

    private TrialResult left(TrialPlan plan, Path file) throws IOException {
        checkUnchanged(plan.id());
        TrialResult result = ResultFolder.readTrial(file);
        if (!plan.redacted().equals(result.plan())) {
            throw CommandException.usage(file + OTHER_OPTIONS);
        }
        return result;
    }

    private void checkSame(List<PlannedTrial> trials) {
        Set<String> earlier =
                experiment.trials().stream().map(Experiment.Entry::id).collect(Collectors.toSet());
        Set<String> now = trials.stream().map(trial -> trial.plan().id()).collect(Collectors.toSet());
        if (!earlier.equals(now) || trials.stream().anyMatch(this::isLaunchedOtherwise)) {
            throw CommandException.usage(path() + OTHER_OPTIONS);
        }
    }

    /** {@return whether an earlier run launched a trial with other options, which a matrix has in its file and not on the command line} */
    private boolean isLaunchedOtherwise(PlannedTrial trial) {
        return experiment.trials().stream()
                .anyMatch(entry -> entry.id().equals(trial.plan().id())
                        && entry.launch() != null
                        && !entry.launch().equals(trial.launch()));
    }

    /** Checks what trials do not tell: the options of their JVMs, the build, the JVM of this process and the processor. */
    private void checkSameSetting(List<String> typed, Revision revision, TrialEnvironment environment) {
        if (!withoutFolders(typed).equals(withoutFolders(experiment.commandLine()))) {
            throw CommandException.usage(path() + OTHER_OPTIONS);
        }
        requireEqual("revision", experiment.revision(), revision);
        TrialEnvironment earlier = experiment.environment();
        if (earlier != null) {
            requireEqual("processor", earlier.cpuModel(), environment.cpuModel());
            requireEqual("JVM", earlier.jvm().vendor(), environment.jvm().vendor());
            requireEqual("JVM", earlier.jvm().version(), environment.jvm().version());
        }
    }

    private void requireEqual(String what, Object earlier, Object now) {
        if (earlier != null && !earlier.equals(now)) {
            throw CommandException.usage(path() + " was measured with another " + what + " (" + earlier + "; now " + now
                    + "); without --resume all trials are measured again");
        }
    }

    private static List<String> withoutFolders(List<String> typed) {
        return without(FOLDERS, typed).stream().sorted().toList();
    }

    /** Returns the arguments without these options, in either way of writing them. */
    public static List<String> without(Set<String> options, List<String> arguments) {
        List<String> left = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (options.contains(argument)) {
                i++; // and its value
            } else if (!options.contains(argument.split("=", 2)[0])) {
                left.add(argument);
            }
        }
        return left;
    }

    /** Writes down what became of a trial, announced at the beginning or not. */
    void add(FinishedTrial trial) {
        String id = trial.plan().id();
        if (trial.result() == null) {
            removeParts(id);
            entries.put(id, unmeasured(id));
        } else {
            String file = folder.trialFile(id).getFileName().toString();
            results.put(id, trial.result());
            Map<String, String> checksums = CommandException.guarded(
                    "cannot read again what trial " + id + " wrote", () -> folder.checksums(id));
            entries.put(id, new Experiment.Entry(id, file, trial.result().outcome(), checksums, launches.get(id)));
        }
        write(null);
    }

    private Experiment.Entry unmeasured(String id) {
        return new Experiment.Entry(id, null, null, null, launches.get(id));
    }

    /** Returns the entry of an earlier run, so that its checksums stay until the trial is added again; otherwise an empty one. */
    private Experiment.Entry left(String id) {
        boolean isThere = experiment != null && Files.isRegularFile(folder.trialFile(id));
        return (isThere ? experiment.trials() : List.<Experiment.Entry>of())
                .stream().filter(entry -> entry.id().equals(id)).findFirst().orElseGet(() -> unmeasured(id));
    }

    /** Writes down that nothing more is to come. */
    public void end() {
        write(now());
    }

    /** Removes the folder when no trial has left anything in it. */
    public void discardIfEmpty() {
        try (Stream<Path> files = Files.list(path())) {
            if (files.allMatch(folder.experimentFile()::equals)) {
                Files.deleteIfExists(folder.experimentFile());
                Files.delete(path());
                parent.removeIfEmpty();
            }
        } catch (IOException kept) {
            // something is in it after all
        }
    }

    /** {@return the results of its trials until now, without reading them again} */
    public ReadExperiment measured() {
        List<TrialResult> measured = entries.keySet().stream()
                .map(results::get)
                .filter(Objects::nonNull)
                .toList();
        return new ReadExperiment(path(), experiment, measured, List.of());
    }

    /** Absolute. */
    public Path path() {
        return folder.path();
    }

    /** Removes the unfinished files of a trial that was ended by force; they are hidden until they are whole. */
    private void removeParts(String id) {
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(path(), "." + id + ".*")) {
            for (Path part : parts) {
                Files.deleteIfExists(part);
            }
        } catch (IOException left) {
            // hidden, and no harm
        }
    }

    private void write(String endedAt) {
        experiment = content.apply(endedAt);
        CommandException.guarded("cannot write to " + path(), () -> folder.write(experiment));
    }

    /** Writes a file next to those of the trials. @param content as JSON */
    public void write(String name, Object content) {
        CommandException.guarded("cannot write to " + path(), () -> Json.write(path().resolve(name), content));
    }

    private static String now() {
        return Instant.now().toString();
    }

    /** Returns the source's revision according to git; null when the directory is not the source's, or git does not respond. */
    private static Revision revision(Path root) {
        if (!Files.exists(root.resolve(".git"))) {
            return null;
        }
        String commit = git(root, "rev-parse", "HEAD");
        String changes = git(root, "status", "--porcelain", "--untracked-files=no");
        return commit == null || changes == null ? null : new Revision(commit, !changes.isEmpty());
    }

    private static String git(Path root, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        try {
            Tool git = Tool.run(command);
            return git.isOk() ? git.output() : null;
        } catch (IOException noGit) {
            return null;
        }
    }
}
