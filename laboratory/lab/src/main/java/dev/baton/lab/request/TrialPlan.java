package dev.baton.lab.request;

import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Secrets;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Everything that one trial needs, decided before its JVM starts: written as JSON by the parent, read by the child, and
 * kept in the result. Immutable, thread-safe.
 *
 * @param id unique within its experiment, also the stem of the trial's file names: letters, digits, dots, hyphens
 * @param subject what is measured
 * @param shape how many chains, how long, how heavy
 * @param load what is sent and when
 * @param loops the threads that carry it
 * @param phases how long each part lasts
 * @param limits what every instance must keep to; empty when the trial only measures
 * @param place where files go, and whose processes are watched
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
        Place place,
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
        Objects.requireNonNull(place, "place");
    }

    /** A plan that is watched as usual. */
    public TrialPlan(
            String id,
            Subject subject,
            Shape shape,
            Load load,
            LoopPlan loops,
            Phases phases,
            List<Limit> limits,
            Place place,
            Study study) {
        this(id, subject, shape, load, loops, phases, limits, place, study, null);
    }

    /** A plan that measures chains. */
    public TrialPlan(
            String id,
            Subject subject,
            Shape shape,
            Load load,
            LoopPlan loops,
            Phases phases,
            List<Limit> limits,
            Place place) {
        this(id, subject, shape, load, loops, phases, limits, place, null);
    }

    /** The same plan under another name. */
    public TrialPlan named(String other) {
        return new TrialPlan(other, subject, shape, load, loops, phases, limits, place, study, observers);
    }

    /** The same plan with a question of its own. */
    public TrialPlan asking(Study question) {
        return asking(question, limits);
    }

    /** The same, and with what is to be kept meanwhile. */
    public TrialPlan asking(Study question, List<Limit> kept) {
        return new TrialPlan(id, subject, shape, load, loops, phases, kept, place, question, observers);
    }

    /** The same plan with what is known only when it runs. */
    public TrialPlan placed(Subject complete, Place found) {
        return new TrialPlan(id, complete, shape, load, loops, phases, limits, found, study, observers);
    }

    /** The same plan in another place. */
    public TrialPlan at(Place other) {
        return placed(subject, other);
    }

    /** The same plan for some of its instances. */
    public TrialPlan part(String name, Shape share, Load own, Place meeting) {
        return new TrialPlan(name, subject, share, own, loops, phases, limits, meeting, study, observers);
    }

    /** The same plan watched in another way; null: as usual. */
    public TrialPlan watched(Observers others) {
        return new TrialPlan(id, subject, shape, load, loops, phases, limits, place, study, others);
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
        return new TrialPlan(id, subject.redacted(), shape, load, loops, phases, limits, place, shown, observers);
    }

    /** Whether values were taken out of it. */
    public boolean isRedacted() {
        return Stream.concat(subject.options().values().stream(), Stream.of(String.valueOf(study)))
                .anyMatch(value -> value.contains(Secrets.HIDDEN));
    }

    /** The values that {@link #redacted} takes out, to be hidden where something repeats them. */
    public Secrets secrets() {
        List<String> all = new ArrayList<>();
        if (study != null) {
            all.addAll(study.confidential());
        }
        subject.options().forEach((key, value) -> all.add(key + "=" + value));
        return Secrets.in(all);
    }
}
