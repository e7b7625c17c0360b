package dev.baton.lab.matrix;

import dev.baton.lab.results.TrialResult;
import java.util.List;

/**
 * What came of one variant's trials. Immutable, thread-safe.
 *
 * @param results of those that left one
 * @param failures why others left none, such as a heap too small
 */
public record Series(Variant variant, List<TrialResult> results, List<String> failures) {
    public Series {
        results = List.copyOf(results);
        failures = List.copyOf(failures);
    }

    /** What its transport promises, as far as it told; empty when nothing was measured. */
    public List<String> promises() {
        return results.isEmpty() ? List.of() : results.get(0).transport().guarantees();
    }
}
