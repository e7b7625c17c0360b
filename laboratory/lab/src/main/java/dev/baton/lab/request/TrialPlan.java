package dev.baton.lab.request;

import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Secrets;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The plan of one trial, not changed after its creation by the command; its execution is at a {@link Place}. Kept in the result. Immutable,
 * thread-safe.
 *
 * @param id unique within its experiment, also the stem of the trial's file names: letters, digits, dots, hyphens
 * @param subject the measured system
 * @param shape number, length and load of the chains
 * @param load messages and their times
 * @param loops the threads of the chains
 * @param phases durations of the phases
 * @param limits that every instance must keep; empty when the trial only measures
 * @param study the question; null in a file: the response of chains
 * @param observers of the trial; null: the usual ones
 */
public record TrialPlan(
        String id,
        Subject subject,
        Shape shape,
        Load load,
        LoopPlan loops,
        Phases phases,
        List<Limit> limits,
        Study study,
        Observers observers) {

    public TrialPlan {
        if (!id.matches("[A-Za-z0-9][A-Za-z0-9.-]{0,99}")) {
            throw new IllegalArgumentException(
                    "trial id '" + id + "': 1 to 100 letters, digits, dots and hyphens, not starting with either");
        }
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(load, "load");
        Objects.requireNonNull(loops, "loops");
        Objects.requireNonNull(phases, "phases");
        study = study == null ? Study.CHAINS : study;
        limits = limits == null ? List.of() : List.copyOf(limits);
        if (subject.engine().equals(Subject.SYSTEM)) { // which has no services, and no loop that could send
            shape = new Shape(0, shape.instances(), shape.payloadBytes(), null, shape.sizes(), null, null);
            load = load.sentFrom(Load.Generator.THREAD);
        }
    }

    /** A plan that measures chains, watched as usual. */
    public TrialPlan(
            String id, Subject subject, Shape shape, Load load, LoopPlan loops, Phases phases, List<Limit> limits) {
        this(id, subject, shape, load, loops, phases, limits, Study.CHAINS, null);
    }

    public TrialPlan named(String other) {
        return new TrialPlan(other, subject, shape, load, loops, phases, limits, study, observers);
    }

    public TrialPlan asking(Study question) {
        return asking(question, limits);
    }

    /** Returns the same plan with another question and other limits. */
    public TrialPlan asking(Study question, List<Limit> kept) {
        return new TrialPlan(id, subject, shape, load, loops, phases, kept, question, observers);
    }

    public TrialPlan under(Load other) {
        return new TrialPlan(id, subject, shape, other, loops, phases, limits, study, observers);
    }

    public TrialPlan about(Subject other) {
        return new TrialPlan(id, other, shape, load, loops, phases, limits, study, observers);
    }

    /** The plan of an exploratory trial: its figures are not to be quoted. */
    public TrialPlan provisional() {
        return new TrialPlan(id, subject, shape, load, loops, phases.provisional(), limits, study, observers);
    }

    /**
     * Returns the plans of the processes that share it: each runs some of its instances, the first ones one more when they do not divide,
     * and has its own load.
     */
    public List<TrialPlan> shares(int processes) {
        int all = shape.instances();
        int count = Math.min(processes, all);
        List<TrialPlan> shares = new ArrayList<>();
        int first = 0;
        for (int i = 0; i < count; i++) {
            Shape share = shape.of(all / count + (i < all % count ? 1 : 0));
            Load own = load.shared(i, first);
            first += share.instances();
            shares.add(
                    new TrialPlan(id + "-p" + (i + 1), subject, share, own, loops, phases, limits, study, observers));
        }
        return shares;
    }

    /** {@return whether more is judged than the delivery and the requested rate} */
    public boolean isJudged() {
        return !limits.isEmpty() || study.isJudged();
    }

    /** {@return the observers, or the usual ones} */
    public Observers watching() {
        return observers == null ? Observers.USUAL : observers;
    }

    /** Returns the plan without secret values. */
    public TrialPlan redacted() {
        return new TrialPlan(
                id, subject.redacted(), shape.redacted(), load, loops, phases, limits, study.redacted(), observers);
    }

    /** {@return whether values were removed from it} */
    public boolean isRedacted() {
        return Stream.concat(options().map(Map.Entry::getValue), Stream.of(String.valueOf(study)))
                .anyMatch(value -> value.contains(Secrets.HIDDEN));
    }

    /** The values that {@link #redacted} takes out, to be hidden where something repeats them. */
    public Secrets secrets() {
        List<String> all = new ArrayList<>(study.confidential());
        options().forEach(option -> all.add(option.getKey() + "=" + option.getValue()));
        return Secrets.in(all);
    }

    /** Returns the options of the transport and of the chain. */
    private Stream<Map.Entry<String, String>> options() {
        return Stream.concat(
                subject.options().entrySet().stream(),
                shape.chain() == null ? Stream.empty() : shape.chain().options().entrySet().stream());
    }
}
