package dev.baton.lab.command;

import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.JvmFlags;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.TransportSettings;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.List;

/**
 * The common part of all trials of an experiment, which creates the trial of each transport and engine. Immutable, thread-safe.
 *
 * @param observers of the trials; null: the usual ones
 * @param heap that is enough for their JVMs, as after {@code -Xmx}
 */
public record PlannedTrials(
        Shape shape, Load load, LoopPlan loops, Phases phases, Observers observers, JvmChoice jvm, String heap) {
    /** Returns these trials with another idle strategy. */
    public PlannedTrials idling(String idle) {
        LoopPlan other = new LoopPlan(loops.threading(), idle, loops.latencyBudgetNanos(), loops.batch());
        return new PlannedTrials(shape, load, other, phases, observers, jvm, heap);
    }

    /** A trial for each transport with each of its engines, which follow each other. */
    public List<PlannedTrial> of(List<ChosenTransport> transports, List<String> engines) {
        return transports.stream()
                .flatMap(chosen -> engines.stream()
                        .filter(engine -> ReferenceEngine.isOver(engine, chosen.provider()))
                        .map(engine -> of(chosen, engine)))
                .toList();
    }

    /** Returns the trial of this transport and this engine. */
    public PlannedTrial of(ChosenTransport chosen, String engine) {
        String transport = chosen.provider().name();
        TrialPlan plan = new TrialPlan(
                engine.equals(Subject.BATON) ? transport : transport + "-" + engine,
                new Subject(engine, transport, chosen.options()),
                shape,
                load,
                ReferenceEngine.threads(engine, chosen.provider(), loops),
                phases,
                List.of(),
                null,
                observers);
        return new PlannedTrial(
                plan,
                jvm.jvm(),
                JvmFlags.profiled(observers, jvm, JvmFlags.forTrial(chosen.provider(), jvm, heap)),
                directoryOption(chosen),
                chosen.brokers());
    }

    /** The option that a fresh directory goes to; null when the transport has none, or it was typed. */
    public static String directoryOption(ChosenTransport chosen) {
        return TransportSettings.has(chosen.provider(), Subject.DIRECTORY)
                        && !chosen.options().containsKey(Subject.DIRECTORY)
                ? Subject.DIRECTORY
                : null;
    }
}
