package dev.baton.benchmark.result;

import dev.baton.benchmark.plan.Secrets;
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

    /** The same with secrets hidden that a library's complaint repeats. */
    public Outcome without(Secrets secrets) {
        return new Outcome(verdict, reasons.stream().map(secrets::hiddenIn).toList());
    }
}
