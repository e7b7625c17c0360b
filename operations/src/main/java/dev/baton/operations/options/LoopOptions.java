package dev.baton.operations.options;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.settings.LoopPlan;
import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The threads that carry the chains: options of every command that runs chains. */
public final class LoopOptions {
    /** The first Java with virtual threads. */
    public static final int VIRTUAL_SINCE = 21;

    public static final Duration SHORTEST_BUDGET = Duration.ofNanos(100_000);
    public static final Duration LONGEST_BUDGET = Duration.ofMinutes(1);

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--threading",
            paramLabel = "HOW",
            defaultValue = "cooperative:1",
            description = {
                "cooperative:N (default: 1), per-service or virtual",
                "threads of the services: N loops share all services, a thread each, or a virtual thread each (JDK 21+)"
            })
    private String threading;

    @Mixin
    private IdleOption idle;

    @Option(
            names = "--latency-budget",
            paramLabel = "TIME",
            description = "latency that loops may spend to save work, 100us to 1m (default: none)")
    private Duration latencyBudget;

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "maximum number of messages that a service takes in one turn, 1 to " + LoopPlan.MOST_BATCH
                    + " (default: 256)")
    private BigDecimal batch;

    /** Checked by the reader of these words that the trial uses. @param feature version of the JVM that runs them */
    public LoopPlan loops(int feature) {
        if (threading.equals("virtual") && feature < VIRTUAL_SINCE) {
            throw CommandException.environment(
                    "--threading virtual needs JDK " + VIRTUAL_SINCE + " or later, this is JDK " + feature
                            + "; set JAVA_HOME to one, or use cooperative:N or per-service");
        }
        if (latencyBudget != null) {
            Checks.time("--latency-budget", latencyBudget, SHORTEST_BUDGET, LONGEST_BUDGET);
        }
        return checked(new LoopPlan(
                threading,
                idle.words(),
                latencyBudget == null ? 0 : latencyBudget.toNanos(),
                batch == null ? 0 : Checks.integer("--batch", batch, 1, LoopPlan.MOST_BATCH)));
    }

    /** {@return whether the parts of a chain share loops} */
    public boolean isCooperative() {
        return threading.startsWith(LoopPlan.COOPERATIVE);
    }

    /** A plan whose words the trial will understand. */
    public static LoopPlan checked(LoopPlan plan) {
        try {
            plan.open().close();
            return plan;
        } catch (UnsupportedOperationException missing) {
            throw CommandException.environment(missing.getMessage(), missing);
        } catch (IllegalArgumentException refused) {
            throw CommandException.usage(refused.getMessage(), refused);
        }
    }
}
