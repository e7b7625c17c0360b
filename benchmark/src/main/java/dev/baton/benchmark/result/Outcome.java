package dev.baton.benchmark.result;

import java.util.List;
import java.util.Objects;

/**
 * The verdict and why.
 *
 * @param reasons one sentence each, with figures and the instance concerned; may be empty for a PASS
 */
public record Outcome(Verdict verdict, List<String> reasons) {
    public Outcome {
        Objects.requireNonNull(verdict, "verdict");
        reasons = reasons == null ? List.of() : List.copyOf(reasons);
    }
}
