package dev.baton.lab.study.density;

import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.request.Limit;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.options.IdleOption;
import dev.baton.operations.options.LoopOptions;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.TransportProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The threads that carry the chains, with defaults for many chains that have a limit to keep. */
final class DensityLoopOptions {
    private static final String NONE = "none";

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--threading",
            paramLabel = "HOW",
            description = {
                "threads of the services (default: a loop per core)",
                "cooperative:N (N loops share all services), per-service (a thread each) or virtual (a virtual thread each, JDK 21+); the loops of the default are divided by --processes"
            })
    private String threading;

    @Mixin
    private IdleOption idle;

    @Option(
            names = "--latency-budget",
            paramLabel = "TIME|none",
            description = "latency that cooperative loops may spend to save work, 100us to 1m, or none"
                    + " (default: 1.3 times the tightest limit, as a loop sweeps three times within its budget; 0.6 times over"
                    + " transports whose messages make a round trip, such as Kafka; less at high rates)")
    private String latencyBudget;

    boolean isThreadingTyped() {
        return threading != null;
    }

    /** Returns the loops of the command line, or the default. */
    LoopPlan loops(String engine, TransportProvider transport, List<Limit> limits, double rate, int processes) {
        String words = threading != null ? threading : LoopPlan.COOPERATIVE + Math.max(1, cores() / processes);
        return plan(engine, transport, words, limits, rate);
    }

    /** Returns all threading modes of Baton on this JVM, each once. */
    List<LoopPlan> ways(TransportProvider transport, List<Limit> limits, double rate, int feature) {
        List<String> words = new ArrayList<>(List.of(LoopPlan.COOPERATIVE + 1));
        if (cores() > 1) {
            words.add(LoopPlan.COOPERATIVE + cores());
        }
        words.add("per-service");
        if (feature >= LoopOptions.VIRTUAL_SINCE) {
            words.add("virtual");
        }
        return words.stream()
                .map(each -> plan(Subject.BATON, transport, each, limits, rate))
                .toList();
    }

    private LoopPlan plan(String engine, TransportProvider transport, String words, List<Limit> limits, double rate) {
        boolean hasPacing = engine.equals(Subject.BATON) || engine.equals(Subject.REFERENCE_COOPERATIVE);
        boolean isPaced = hasPacing && (latencyBudget != null || words.startsWith(LoopPlan.COOPERATIVE));
        LoopPlan asked = LoopOptions.checked(
                new LoopPlan(words, idle.words(), isPaced ? latencyBudgetNanos(transport, limits, rate) : 0));
        return ReferenceEngine.threads(engine, transport, asked);
    }

    private long latencyBudgetNanos(TransportProvider transport, List<Limit> limits, double rate) {
        if (NONE.equals(latencyBudget)) {
            return 0;
        }
        if (latencyBudget == null) {
            return DefaultLatencyBudget.nanos(transport, limits, rate);
        }
        try {
            Duration typed = CommandLines.time(latencyBudget);
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
