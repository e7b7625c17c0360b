package dev.baton.lab.request;

import dev.baton.operations.settings.Subject;
import java.util.Objects;
import java.util.SortedMap;

/**
 * What one process measures, and where: all that the child JVM is told, written as JSON by the parent. Immutable,
 * thread-safe.
 */
public record PlacedTrial(TrialPlan plan, Place place) {
    public PlacedTrial {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(place, "place");
    }

    /** What is measured, with the options that the place adds to its transport's. */
    public Subject subject() {
        SortedMap<String, String> options = plan.subject().options();
        options.putAll(place.options());
        return new Subject(plan.subject().engine(), plan.subject().transport(), options);
    }

    /** The same without the values that must not reach a file. */
    public PlacedTrial redacted() {
        return new PlacedTrial(plan.redacted(), place);
    }
}
