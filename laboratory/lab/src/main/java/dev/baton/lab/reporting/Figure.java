package dev.baton.lab.reporting;

import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Units;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * One figure of a trial that trials are compared by. Immutable, thread-safe.
 *
 * @param name heading of its column
 * @param value of a trial; null when it has none
 * @param isLessBetter null when neither is better
 * @param hasFewSamples whether too little was measured for it to be a verdict
 */
public record Figure(
        String name,
        Function<TrialResult, Double> value,
        DoubleFunction<String> text,
        Boolean isLessBetter,
        Function<TrialResult, Boolean> hasFewSamples) {

    /** A time, of which less is better. */
    public static Figure time(String name, Function<TrialResult, Double> nanos) {
        return new Figure(name, nanos, value -> Units.time(Math.round(value)), true, trial -> false);
    }

    /** A percentile of the responses, or of whatever a study records as such. */
    public static Figure response(double percentile) {
        Function<TrialResult, Percentile> entry = trial -> trial.response().at(percentile);
        return new Figure(
                ResultTable.name(percentile),
                trial -> nullable(entry.apply(trial).nanos()),
                value -> Units.time(Math.round(value)),
                true,
                trial -> entry.apply(trial).hasFewSamples());
    }

    /** The longest response. */
    public static Figure worst() {
        return time("max", trial -> nullable(trial.response().maxNanos()));
    }

    /** CPU of the JVM and, where there is one, of the broker. */
    public static Figure cpu() {
        return new Figure("CPU", TrialResult::cpuCores, Units::percent, true, trial -> false);
    }

    /** {@return the achieved rate, which a trial without messages does not have; more is better} */
    public static Figure rate() {
        return new Figure(
                "per second",
                trial -> trial.plan().load().isNone()
                        ? null
                        : Double.valueOf(trial.rate().achievedPerSecond()),
                value -> Units.count(Math.round(value)),
                false,
                trial -> false);
    }

    /** Resident memory of the JVM. */
    public static Figure resident() {
        return new Figure(
                "RSS",
                trial -> trial.machine() == null || trial.machine().memory() == null
                        ? null
                        : nullable(trial.machine().memory().residentBytes()),
                Units::bytes,
                true,
                trial -> false);
    }

    private static Double nullable(Long number) {
        return number == null ? null : Double.valueOf(number);
    }
}
