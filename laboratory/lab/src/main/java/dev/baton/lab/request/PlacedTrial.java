package dev.baton.lab.request;

import dev.baton.operations.settings.Subject;
import java.util.Objects;
import java.util.SortedMap;

/** The plan of one process and its place: everything that the child JVM receives, written as JSON by the parent. Immutable, thread-safe. */
public record PlacedTrial(TrialPlan plan, Place place) {
    public PlacedTrial {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(place, "place");
    }

    /** {@return the subject, with the options that the place adds to its transport's} */
    public Subject subject() {
        SortedMap<String, String> options = plan.subject().options();
        options.putAll(place.options());
        return new Subject(plan.subject().engine(), plan.subject().transport(), options);
    }

    /** Returns the trial without secret values. */
    public PlacedTrial redacted() {
        return new PlacedTrial(plan.redacted(), place);
    }
}
