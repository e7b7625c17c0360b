package dev.baton.lab.matrix;

import dev.baton.lab.results.TrialResult;
import java.util.List;

/**
 * The results of one variant's trials. Immutable, thread-safe.
 *
 * @param results of the trials that have one
 * @param failures why others have none, such as a heap that is too small
 */
public record Series(Variant variant, List<TrialResult> results, List<String> failures) {
    public Series {
        results = List.copyOf(results);
        failures = List.copyOf(failures);
    }

    /** {@return the guarantees of its transport, as far as they are known; empty when no trial was measured} */
    public List<String> promises() {
        return results.isEmpty() ? List.of() : results.get(0).transport().guarantees();
    }
}
