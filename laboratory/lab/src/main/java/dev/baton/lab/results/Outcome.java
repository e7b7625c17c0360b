package dev.baton.lab.results;

import dev.baton.operations.settings.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The verdict and why.
 *
 * @param reasons one sentence each, with figures and the instance concerned; may be empty for a PASS
 * @param blamesHost whether the host did not leave the trial the machine, and an inconclusive verdict is due to that
 */
public record Outcome(Verdict verdict, List<String> reasons, boolean blamesHost) {
    private static final String STOPPED = " stopped: ";

    /** The text that {@link #stop(String, Object)} writes, possibly after the process that reports it. */
    private static final Pattern STOP =
            Pattern.compile("(process \\d+: )?((instance|part) \\d+|the chain)" + STOPPED + ".*", Pattern.DOTALL);

    public Outcome {
        Objects.requireNonNull(verdict, "verdict");
        reasons = reasons == null ? List.of() : List.copyOf(reasons);
    }

    /** Creates an outcome that is not due to the host. */
    public Outcome(Verdict verdict, List<String> reasons) {
        this(verdict, reasons, false);
    }

    /** Returns the outcome with one more reason, the last. */
    public Outcome and(String reason) {
        List<String> all = new ArrayList<>(reasons);
        all.add(reason);
        return new Outcome(verdict, all, blamesHost);
    }

    /** The reason of a chain that stopped. @param chain such as {@code instance 3}, {@code part 3} or {@code the chain} */
    public static String stop(String chain, Object cause) {
        return chain + STOPPED + cause;
    }

    /** {@return the chain that stopped and the reason; empty for none} */
    public Optional<String> stop() {
        return reasons.stream().filter(reason -> STOP.matcher(reason).matches()).findFirst();
    }

    /** Returns the outcome without secrets that a library's complaint contains. */
    public Outcome without(Secrets secrets) {
        return new Outcome(verdict, reasons.stream().map(secrets::hiddenIn).toList(), blamesHost);
    }
}
