package dev.baton.lab.study.density;

import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.request.Limit;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.IdleOption;
import dev.baton.operations.line.LoopOptions;
import dev.baton.operations.line.TimeConverter;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The threads that carry the chains, with defaults for many chains that have a limit to keep. */
final class DensityLoopOptions {
    /**
     * The budget of paced loops as a part of the tightest limit. A third of the budget is the time from sweep to sweep, 43
     * of 100 ms here; the rest of the limit has to cover the sweep itself and the stalls of the machine. 1,100 Chronicle
     * chains: 272 ns of CPU per hop with 1, 241 with 1.3 (docs/decisions/007).
     */
    static final double BUDGET_SHARE_OF_LIMIT = 1.3;

    /** The same for a transport whose frames make a round trip at every hop, which no sweep of ours shortens. */
    static final double BUDGET_SHARE_WITH_ROUND_TRIPS = 0.6;

    /** A paced loop sweeps three times in its budget. */
    private static final int SWEEPS_PER_BUDGET = 3;

    /**
     * Messages of an instance that a default budget lets come together for one sweep: less than half of what a source
     * sends in a turn, a flush holds and a small ring has slots, all of them 256.
     */
    private static final int MOST_PER_SWEEP = 100;

    private static final String NONE = "none";
    private static final int VIRTUAL_SINCE = 21;

    @Option(
            names = "--threading",
            paramLabel = "HOW",
            description = "cooperative:N (N loops share all services), per-service, or virtual (JDK 21+)"
                    + " (default: cooperative with a loop per core, shared out among --processes)")
    private String threading;

    @Mixin
    private IdleOption idle;

    @Option(
            names = "--latency-budget",
            paramLabel = "TIME|none",
            description = "latency that cooperative loops may spend to save work, 100us to 1m, or none"
                    + " (default: 1.3 times the tightest limit, 0.6 times over Kafka, less at high rates; a third of it"
                    + " lies between two sweeps)")
    private String latencyBudget;

    boolean isThreadingTyped() {
        return threading != null;
    }

    /** As typed, or by default. */
    LoopPlan loops(String engine, TransportProvider transport, List<Limit> limits, double rate, int processes) {
        String words = threading != null ? threading : LoopPlan.COOPERATIVE + Math.max(1, cores() / processes);
        return plan(engine, transport, words, limits, rate);
    }

    /** All ways that Baton has on this JVM, each once. */
    List<LoopPlan> ways(TransportProvider transport, List<Limit> limits, double rate, int feature) {
        List<String> words = new ArrayList<>(List.of(LoopPlan.COOPERATIVE + 1));
        if (cores() > 1) {
            words.add(LoopPlan.COOPERATIVE + cores());
        }
        words.add("per-service");
        if (feature >= VIRTUAL_SINCE) {
            words.add("virtual");
        }
        return words.stream()
                .map(each -> plan(Subject.BATON, transport, each, limits, rate))
                .toList();
    }

    private LoopPlan plan(String engine, TransportProvider transport, String words, List<Limit> limits, double rate) {
        boolean isPaced =
                engine.equals(Subject.BATON) && (latencyBudget != null || words.startsWith(LoopPlan.COOPERATIVE));
        LoopPlan asked = LoopOptions.checked(
                new LoopPlan(words, idle.words(), isPaced ? latencyBudgetNanos(transport, limits, rate) : 0));
        return ReferenceEngine.threads(engine, asked);
    }

    private long latencyBudgetNanos(TransportProvider transport, List<Limit> limits, double rate) {
        if (NONE.equals(latencyBudget)) {
            return 0;
        }
        if (latencyBudget == null) {
            double fill = SWEEPS_PER_BUDGET * MOST_PER_SWEEP * 1e9 / rate;
            double part = transport.guarantees().contains(Guarantee.IMMEDIATE)
                    ? BUDGET_SHARE_OF_LIMIT
                    : BUDGET_SHARE_WITH_ROUND_TRIPS;
            long share = (long) Math.min(fill, Limit.tightestNanos(limits) * part);
            return share < LoopOptions.SHORTEST_BUDGET.toNanos()
                    ? 0
                    : Math.min(share, LoopOptions.LONGEST_BUDGET.toNanos());
        }
        try {
            Duration typed = new TimeConverter().convert(latencyBudget);
            Checks.time("--latency-budget", typed, LoopOptions.SHORTEST_BUDGET, LoopOptions.LONGEST_BUDGET);
            return typed.toNanos();
        } catch (TypeConversionException malformed) {
            throw CommandException.usage("--latency-budget: " + malformed.getMessage() + ", or none", malformed);
        }
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }
}
