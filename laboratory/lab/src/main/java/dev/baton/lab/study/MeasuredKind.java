package dev.baton.lab.study;

import dev.baton.lab.command.MeasuredStudy;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.request.Study;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.StudyKind;
import dev.baton.lab.trial.Workload;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.operations.line.Console;
import java.util.function.BiFunction;

/** A study whose trials are planned before the first one runs: it can be typed, and its trials run. Stateless, thread-safe. */
public abstract class MeasuredKind implements StudyKind, Workload.Source, MeasuredStudy {
    private final String name;
    private final Class<? extends Study> request;
    private final Class<? extends Findings> findings;
    private final Workload.Source workload;
    private final BiFunction<Console, Workbench, MeasuringCommand> command;

    /**
     * The entry of a study.
     *
     * @param name of the study and of its command
     * @param request the question in its plans
     * @param findings null: its results have the common parts only
     * @param workload opens its trials
     * @param command makes its command
     */
    protected MeasuredKind(
            String name,
            Class<? extends Study> request,
            Class<? extends Findings> findings,
            Workload.Source workload,
            BiFunction<Console, Workbench, MeasuringCommand> command) {
        this.name = name;
        this.request = request;
        this.findings = findings;
        this.workload = workload;
        this.command = command;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Class<? extends Study> request() {
        return request;
    }

    @Override
    public final Class<? extends Findings> findings() {
        return findings;
    }

    @Override
    public final Workload open(Instruments instruments) {
        return workload.open(instruments);
    }

    @Override
    public final BiFunction<Console, Workbench, MeasuringCommand> command() {
        return command;
    }
}
