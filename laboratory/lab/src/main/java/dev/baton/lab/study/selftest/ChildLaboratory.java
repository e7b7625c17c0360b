package dev.baton.lab.study.selftest;

import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.BrokerSource;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.ProcessStop;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.JvmFlags;
import dev.baton.lab.protocol.Event;
import dev.baton.lab.reporting.ProgressLine;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The laboratory as in production: each trial in a fresh JVM, its figures read from its files. It stops the process of a trial whose study
 * requires it. Confined to one thread.
 */
final class ChildLaboratory extends ProgressLine implements TestedLaboratory {
    private static final String HEAP = "128m";
    private static final long STOPPED_AFTER_NANOS = 300_000_000; // of the measurement, before the process is stopped

    private static final String HEAP_OF_SYSTEM = "256m";

    private final ChosenTransport system;
    private final ExperimentFolder folder;
    private final Trials trials;
    private final Map<String, Long> pids = new HashMap<>();
    private final Map<String, ProcessStop> stops = new HashMap<>();
    final List<CommandException> refusals = new ArrayList<>(); // why trials came to no result

    /**
     * Leaves its files in a folder, and what it needs meanwhile in a workspace.
     *
     * @param system of the trials; null: the transport that was made for the self-test
     */
    ChildLaboratory(
            ExperimentFolder folder, Workspace workspace, Workbench bench, Console console, ChosenTransport system) {
        super(console.err(), console.terminal(), TrialPlan::id);
        this.folder = folder;
        this.system = system;
        BrokerSource none = (directory, count, further) -> {
            throw new IllegalStateException("no trial of the self-test has a broker");
        };
        trials = (system == null ? bench.with(none) : bench).trials(folder, workspace, this);
    }

    /** Returns the trial with an id, of the system or of the transport that was made for the self-test. */
    TrialPlan plan(String id) {
        return system == null
                ? SelftestPlans.named(id)
                : SelftestPlans.named(
                        id, new Subject(Subject.SYSTEM, system.provider().name(), system.options()));
    }

    private PlannedTrial planned(TrialPlan plan) {
        JvmChoice choice = JvmChoice.current();
        return system == null
                ? new PlannedTrial(plan, choice.jvm(), JvmFlags.withoutTransport(choice, HEAP), null, 0)
                : new PlannedTrial(
                        plan,
                        choice.jvm(),
                        JvmFlags.forTrial(system.provider(), choice, HEAP_OF_SYSTEM),
                        PlannedTrials.directoryOption(system),
                        system.brokers());
    }

    @Override
    public Map<String, TrialEvidence> measure(Collection<TrialPlan> plans, int round) {
        Map<String, TrialPlan> asked = new LinkedHashMap<>();
        plans.forEach(plan -> asked.put(round == 1 ? plan.id() : plan.id() + "-again-" + round, plan));
        List<PlannedTrial> planned = new ArrayList<>();
        asked.forEach((id, plan) -> planned.add(planned(plan.named(id))));
        Map<String, TrialEvidence> evidence = new LinkedHashMap<>();
        for (FinishedTrial trial : trials.run(planned)) {
            if (trial.failure() != null) {
                refusals.add(trial.failure());
            }
            if (trial.result() != null && trial.result().machine() != null) {
                TrialPlan plan = asked.get(trial.plan().id());
                evidence.put(plan.id(), read(plan, trial));
            }
        }
        return evidence;
    }

    private TrialEvidence read(TrialPlan plan, FinishedTrial trial) {
        ProcessStop stop = stops.getOrDefault(trial.plan().id(), new ProcessStop(0, 0));
        try {
            return TrialEvidence.of(plan, trial.result(), folder.path(), stop);
        } catch (IOException unreadable) {
            throw new CommandException(
                    CommandException.Kind.FAILURE,
                    "cannot read the intervals of " + trial.plan().id() + ": " + unreadable.getMessage(),
                    unreadable);
        }
    }

    @Override
    public void onChild(TrialPlan plan, long pid) {
        pids.put(plan.id(), pid);
    }

    @Override
    public void onProgress(TrialPlan plan, Event.Progress event) {
        super.onProgress(plan, event);
        long stopNanos = ((SelftestStudy) plan.study()).stopNanos();
        boolean isDue = event.phase() == Event.Phase.MEASURING && event.elapsedNanos() >= STOPPED_AFTER_NANOS;
        if (stopNanos > 0 && isDue && !stops.containsKey(plan.id())) {
            long pid = Objects.requireNonNull(pids.get(plan.id()), "a child has a process");
            stops.put(plan.id(), ProcessStop.of(pid, stopNanos));
        }
    }
}
