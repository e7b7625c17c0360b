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
 * What one trial measures, final when the command has planned it; where it is carried out is its {@link Place}. Kept in
 * the result. Immutable, thread-safe.
 *
 * @param id unique within its experiment, also the stem of the trial's file names: letters, digits, dots, hyphens
 * @param subject what is measured
 * @param shape how many chains, how long, how heavy
 * @param load what is sent and when
 * @param loops the threads that carry it
 * @param phases how long each part lasts
 * @param limits what every instance must keep to; empty when the trial only measures
 * @param study what is asked beyond that; null: how chains respond
 * @param observers what the trial watches itself with; null: as usual
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
        limits = limits == null ? List.of() : List.copyOf(limits);
        if (subject.engine().equals(Subject.SYSTEM)) { // which has no services, and no loop that could send
            shape = new Shape(0, shape.instances(), shape.payloadBytes());
            load = load.sentFrom(Load.Generator.THREAD);
        }
    }

    /** A plan that measures chains, watched as usual. */
    public TrialPlan(
            String id, Subject subject, Shape shape, Load load, LoopPlan loops, Phases phases, List<Limit> limits) {
        this(id, subject, shape, load, loops, phases, limits, null, null);
    }

    public TrialPlan named(String other) {
        return new TrialPlan(other, subject, shape, load, loops, phases, limits, study, observers);
    }

    public TrialPlan asking(Study question) {
        return asking(question, limits);
    }

    /** The same, and with what is to be kept meanwhile. */
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
     * What each of the processes that share the plan runs: some of its instances, the first ones with one more when they
     * do not divide, and a load of its own.
     */
    public List<TrialPlan> shares(int processes) {
        int all = shape.instances();
        int count = Math.min(processes, all);
        List<TrialPlan> shares = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Shape share = shape.of(all / count + (i < all % count ? 1 : 0));
            Load own = load.seeded(load.seed() + i);
            shares.add(
                    new TrialPlan(id + "-p" + (i + 1), subject, share, own, loops, phases, limits, study, observers));
        }
        return shares;
    }

    /** Whether there is more to keep than that everything arrives at the rate that was asked for. */
    public boolean isJudged() {
        return !limits.isEmpty() || study != null && study.isJudged();
    }

    /** What watches, also where the plan says nothing. */
    public Observers watching() {
        return observers == null ? Observers.USUAL : observers;
    }

    /** The same plan without the values that must not reach a file. */
    public TrialPlan redacted() {
        Study shown = study == null ? null : study.redacted();
        return new TrialPlan(id, subject.redacted(), shape.redacted(), load, loops, phases, limits, shown, observers);
    }

    /** Whether values were taken out of it. */
    public boolean isRedacted() {
        return Stream.concat(options().map(Map.Entry::getValue), Stream.of(String.valueOf(study)))
                .anyMatch(value -> value.contains(Secrets.HIDDEN));
    }

    /** The values that {@link #redacted} takes out, to be hidden where something repeats them. */
    public Secrets secrets() {
        List<String> all = new ArrayList<>();
        if (study != null) {
            all.addAll(study.confidential());
        }
        options().forEach(option -> all.add(option.getKey() + "=" + option.getValue()));
        return Secrets.in(all);
    }

    /** Of the transport and of the chain. */
    private Stream<Map.Entry<String, String>> options() {
        return Stream.concat(
                subject.options().entrySet().stream(),
                shape.chain() == null ? Stream.empty() : shape.chain().options().entrySet().stream());
    }
}
