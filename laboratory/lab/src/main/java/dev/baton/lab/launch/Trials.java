package dev.baton.lab.launch;

import dev.baton.lab.launch.jvm.JvmFlags;
import dev.baton.lab.protocol.AskedJvm;
import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.MemoryBudget;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.Place.Meeting;
import dev.baton.lab.request.Place.Spread;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.JoinedTrial;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.StudyKind;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.settings.Subject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/**
 * Runs trials one after the other, each in a fresh JVM, in fresh directories, with a fresh broker where it needs one. No
 * process and no temporary file outlives its trial. Confined to one thread, but for the interruption.
 *
 * @param folder that keeps the results
 * @param workspace for what the trials need meanwhile
 * @param program that measures a trial
 */
public record Trials(
        ExperimentFolder folder,
        Workspace workspace,
        BrokerSource brokers,
        Interruption interruption,
        TrialListener listener,
        TrialProgram program) {
    /** The time without output after which a child counts as hung: far longer than any step between two reports. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(90);

    /**
     * Runs trials in the given order. Ends early when it is interrupted, or when a trial is refused because of the command line;
     * other failures do not prevent the next trial.
     *
     * @return the trials that were begun
     */
    public List<FinishedTrial> run(List<PlannedTrial> trials) {
        List<FinishedTrial> finished = new ArrayList<>();
        for (PlannedTrial trial : trials) {
            if (interruption.isRequested()) {
                break;
            }
            listener.onStart(trial.plan(), finished.size() + 1, trials.size());
            FinishedTrial end = run(trial);
            finished.add(end);
            folder.add(end);
            listener.onEnd(end);
            if (end.failure() != null && end.failure().kind() == CommandException.Kind.USAGE) {
                break;
            }
        }
        return finished;
    }

    /** Runs one trial. @return its end; without result and failure if it was interrupted before */
    public FinishedTrial runOne(PlannedTrial trial) {
        return run(List.of(trial)).stream().findFirst().orElseGet(() -> new FinishedTrial(trial.plan(), null, null));
    }

    private FinishedTrial run(PlannedTrial trial) {
        String id = trial.plan().id();
        Path scratch = workspace.directory(id);
        try {
            if (!trial.needsBroker()) {
                return runProcesses(trial, scratch, null);
            }
            try (BrokerSource.Broker broker = startBroker(trial, id)) {
                return runProcesses(trial, scratch, broker);
            }
        } catch (CommandException refusal) {
            return new FinishedTrial(trial.plan(), null, interruption.isRequested() ? null : refusal);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return new FinishedTrial(trial.plan(), null, null);
        } finally {
            workspace.remove(scratch);
        }
    }

    private BrokerSource.Broker startBroker(PlannedTrial trial, String id) {
        listener.onBroker(trial.plan());
        interruption.stopping(Thread.currentThread()::interrupt);
        try {
            return brokers.start(workspace.directory(id + "/broker"), trial.brokers());
        } finally {
            interruption.stopping(() -> {});
            if (interruption.isRequested()) {
                Thread.interrupted(); // it has served; what is written from here on shall be written
            }
        }
    }

    /**
     * Returns the place of a process of the trial.
     *
     * @param own directory of that process
     * @param scratch directory of the trial
     */
    private Place place(PlannedTrial trial, Path own, Path scratch, BrokerSource.Broker broker, Meeting meeting) {
        SortedMap<String, String> options = new TreeMap<>();
        String queues = trial.plan().subject().options().get(Subject.DIRECTORY);
        if (trial.directoryOption() != null) {
            Path fresh = own.resolve("queues");
            queues = fresh.toString();
            options.put(trial.directoryOption(), queues);
            workspace.directory(workspace.path().relativize(fresh).toString());
        }
        List<Long> pids = List.of();
        if (broker != null) {
            options.put(Subject.BROKERS, broker.bootstrapServers());
            pids = broker.pids();
            queues = scratch.resolve("broker").toString();
        }
        boolean isInWorkspace = trial.directoryOption() != null || trial.needsBroker();
        return new Place(
                folder.path().toString(), queues, options, pids, meeting, null, isInWorkspace && workspace.isKept());
    }

    private FinishedTrial runProcesses(PlannedTrial trial, Path scratch, BrokerSource.Broker broker)
            throws InterruptedException {
        Children children = new Children();
        interruption.stopping(children::stop);
        try {
            if (trial.processes() > 1) {
                return runParts(trial, scratch, broker, children);
            }
            PlacedTrial placed = new PlacedTrial(trial.plan(), place(trial, scratch, scratch, broker, null));
            if (trial.elsewhere() != null) {
                return runElsewhere(trial, placed, scratch, children);
            }
            return trial.isSpread()
                    ? runSpread(trial, placed, scratch, children)
                    : runChild(trial, placed, scratch, children, showing(trial));
        } finally {
            interruption.stopping(() -> {});
        }
    }

    private Consumer<Event.Progress> showing(PlannedTrial trial) {
        return progress -> listener.onProgress(trial.plan(), progress);
    }

    /** Runs the services in separate processes. */
    private FinishedTrial runSpread(PlannedTrial trial, PlacedTrial placed, Path scratch, Children children)
            throws InterruptedException {
        String chain = Spread.uniqueChain();
        try (ServiceProcesses services =
                ServiceProcesses.start(trial, program, placed.subject(), chain, scratch, interruption::isRequested)) {
            Place place = placed.place().with(new Spread(chain, services.pids()));
            return runChild(trial, new PlacedTrial(trial.plan(), place), scratch, children, showing(trial));
        } finally {
            if (trial.directoryOption() == null && !trial.needsBroker()) {
                ServiceProcesses.removeTopics(placed.subject(), chain);
            }
        }
    }

    /** Runs the inlet and the sink in the trial's process; the services run already and continue afterwards. */
    private FinishedTrial runElsewhere(PlannedTrial trial, PlacedTrial placed, Path scratch, Children children)
            throws InterruptedException {
        try (ServicesElsewhere services =
                ServicesElsewhere.find(trial.elsewhere(), trial.plan(), interruption::isRequested)) {
            Place place = placed.place().with(new Spread(trial.elsewhere().chain(), services.pids()));
            FinishedTrial end = runChild(
                    trial, new PlacedTrial(trial.plan(), place), scratch, children, services.watching(showing(trial)));
            TrialResult own = end.result().with(services.figures());
            TrialResult whole = StudyKind.in(StudyKind.class, trial.plan().study())
                    .map(kind -> kind.judged(own))
                    .orElse(own);
            new ResultFolder(folder.path()).write(whole);
            return new FinishedTrial(trial.plan(), whole, null);
        } catch (IOException failed) {
            throw new CommandException(
                    CommandException.Kind.FAILURE, "cannot write a result: " + failed.getMessage(), failed);
        }
    }

    /** Runs all processes of a trial at the same time; the progress of the first one is reported. */
    private FinishedTrial runParts(PlannedTrial trial, Path scratch, BrokerSource.Broker broker, Children children)
            throws InterruptedException {
        String id = trial.plan().id();
        List<TrialPlan> shares = trial.plan().shares(trial.processes());
        Meeting meeting = new Meeting(workspace.directory(id + "/meeting").toString(), shares.size());
        List<FutureTask<FinishedTrial>> runs = new ArrayList<>();
        for (TrialPlan share : shares) {
            Path own = workspace.directory(id + "/" + share.id());
            PlacedTrial placed = new PlacedTrial(share, place(trial, own, scratch, broker, meeting));
            Consumer<Event.Progress> onProgress = runs.isEmpty() ? showing(trial) : progress -> {};
            runs.add(new FutureTask<>(() -> runPart(trial, placed, own, children, onProgress)));
        }
        for (int i = 1; i < runs.size(); i++) {
            new Thread(runs.get(i), "baton-process-" + (i + 1)).start();
        }
        runs.get(0).run();
        List<FinishedTrial> ended = new ArrayList<>();
        try {
            for (FutureTask<FinishedTrial> run : runs) {
                ended.add(run.get());
            }
        } catch (ExecutionException ours) {
            throw new IllegalStateException(ours.getCause());
        } finally {
            children.stop(); // when hurried: they end by themselves, and nobody waits for them
        }
        return joined(trial.plan(), ended, children);
    }

    private FinishedTrial runPart(
            PlannedTrial trial, PlacedTrial part, Path scratch, Children children, Consumer<Event.Progress> onProgress)
            throws InterruptedException {
        try {
            return runChild(trial, part, scratch, children, onProgress);
        } catch (CommandException refusal) {
            children.fail(refusal); // they would wait for this one
            return new FinishedTrial(part.plan(), null, refusal);
        }
    }

    private FinishedTrial joined(TrialPlan whole, List<FinishedTrial> ended, Children children) {
        if (children.firstFailure() != null) {
            throw children.firstFailure();
        }
        ResultFolder results = new ResultFolder(folder.path());
        try {
            TrialResult joined = JoinedTrial.of(
                    whole, ended.stream().map(FinishedTrial::result).toList(), results);
            results.write(joined);
            return new FinishedTrial(whole, joined, null);
        } catch (IOException failed) {
            throw new CommandException(
                    CommandException.Kind.FAILURE, "cannot join the processes' results: " + failed, failed);
        }
    }

    /** The children of one trial. Thread-safe. */
    private static final class Children {
        private final List<ChildJvm> running = new ArrayList<>();
        private boolean isStopped;
        private CommandException firstFailure; // null: none

        synchronized void add(ChildJvm child) {
            running.add(child);
            if (isStopped) {
                child.stop();
            }
        }

        synchronized void remove(ChildJvm child) {
            running.remove(child);
        }

        synchronized void stop() {
            isStopped = true;
            running.forEach(ChildJvm::stop);
        }

        /** Stops all because one failed; what the others say after that may only follow from their stop. */
        synchronized void fail(CommandException failure) {
            firstFailure = firstFailure == null ? failure : firstFailure;
            stop();
        }

        synchronized CommandException firstFailure() {
            return firstFailure;
        }
    }

    private FinishedTrial runChild(
            PlannedTrial trial,
            PlacedTrial placed,
            Path scratch,
            Children children,
            Consumer<Event.Progress> onProgress)
            throws InterruptedException {
        TrialPlan plan = placed.plan();
        Path file = scratch.resolve("plan.json");
        Path errors = scratch.resolve("errors.log");
        PlacedTrial shown = placed.redacted();
        String confidence = shown.equals(placed) ? null : Json.line(placed);
        Event end;
        try (Companion companion = Companion.of(plan.study(), interruption::isRequested);
                ControlGroup group = ControlGroup.of(memory(plan));
                ChildJvm child = new ChildJvm(
                        group.enter(command(trial, shown, file, companion)), confidence, errors, LONGEST_SILENCE)) {
            children.add(child);
            listener.onChild(plan, child.pid());
            try {
                end = child.await(onProgress);
            } finally {
                children.remove(child);
            }
        }
        if (end instanceof Event.Result result) {
            return read(plan, Path.of(result.file()));
        }
        Event.Failed failed = (Event.Failed) end;
        String kept =
                failed.kind() == CommandException.Kind.FAILURE || CommandLines.isTracing() ? keep(errors, plan) : "";
        String message = plan.secrets().hiddenIn(failed.message());
        throw new CommandException(
                failed.kind(), named(plan.subject().transport(), message) + remedy(plan, message) + kept);
    }

    /** Writes the plan and returns the command that starts its JVM. */
    private List<String> command(PlannedTrial trial, PlacedTrial shown, Path file, Companion companion) {
        List<String> flags = new ArrayList<>(trial.flags());
        flags.addAll(companion.flags());
        flags.addAll(program.ownFlags());
        return CommandException.guarded("cannot write " + file, () -> {
            Json.write(file, shown);
            List<String> accepted = trial.jvm().accepted(flags);
            AskedJvm.write(file, accepted, Runtime.getRuntime().availableProcessors());
            List<String> own = JvmFlags.shown(accepted, file.resolveSibling("jvm-flags.args"));
            return trial.jvm().command(own, program.main(), file.toString());
        });
    }

    /** Returns the remedy that the child cannot give: the option that sets its heap. */
    private static String remedy(TrialPlan plan, String message) {
        boolean isLimited = memory(plan) != null;
        boolean isAboutHeap = OutOfMemory.isIn(message);
        return isAboutHeap ? "; give it more with " + (isLimited ? "--memory" : "--heap") : "";
    }

    private static MemoryBudget memory(TrialPlan plan) {
        return plan.study().memory();
    }

    /** Returns the text of a refusal with the name of the transport, unless it has the name already. */
    public static String named(String transport, String message) {
        return message.startsWith(transport + ":") ? message : transport + ": " + message;
    }

    private static FinishedTrial read(TrialPlan plan, Path file) {
        try {
            return new FinishedTrial(plan, ResultFolder.readTrial(file), null);
        } catch (IOException failed) {
            throw new CommandException(
                    CommandException.Kind.FAILURE, "cannot read a result: " + failed.getMessage(), failed);
        }
    }

    /** Keeps the error output of a failed child, without the secrets of its plan. */
    private String keep(Path errors, TrialPlan plan) {
        try {
            if (Files.size(errors) > 0) {
                Path kept = folder.path().resolve(plan.id() + ".errors.log");
                String said = new String(Files.readAllBytes(errors), StandardCharsets.UTF_8);
                PrivateFile.write(kept, plan.secrets().hiddenIn(said));
                return "; its output is in " + kept;
            }
        } catch (IOException lost) {
            // the one line has to do
        }
        return "";
    }
}
