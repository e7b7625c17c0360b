package dev.baton.lab.study;

import dev.baton.lab.command.MeasuredStudy;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.request.Study;
import dev.baton.lab.results.Findings;
import dev.baton.lab.trial.Workload;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.operations.line.Console;
import java.util.function.BiFunction;

/**
 * A study whose trials are planned before the first one runs: it can be typed, and its trials run. Stateless, thread-safe.
 *
 * @param <S> the question in its plans
 */
public abstract class MeasuredKind<S extends Study> implements Workload.OfStudy, MeasuredStudy {
    /** Opens the workload of a trial. */
    @FunctionalInterface
    protected interface Opening<S extends Study> {
        Workload open(Instruments instruments, S study);
    }

    private final String name;
    private final Class<S> request;
    private final Class<? extends Findings> findings;
    private final Opening<S> workload;
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
            Class<S> request,
            Class<? extends Findings> findings,
            Opening<S> workload,
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
    public final Class<S> request() {
        return request;
    }

    @Override
    public final Class<? extends Findings> findings() {
        return findings;
    }

    @Override
    public final Workload open(Instruments instruments) {
        return workload.open(instruments, request.cast(instruments.plan().study()));
    }

    @Override
    public final BiFunction<Console, Workbench, MeasuringCommand> command() {
        return command;
    }
}
