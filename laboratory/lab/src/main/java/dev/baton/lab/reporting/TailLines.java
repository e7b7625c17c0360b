package dev.baton.lab.reporting;

import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Tail;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The causes of the slowest messages of each trial, one line for each trial. Stateless, thread-safe. */
public final class TailLines {
    private static final double LEAST_SHOWN = 0.005;

    private TailLines() {}

    /** Returns lines for all trials with known causes; named if there are several. */
    public static List<String> lines(List<TrialResult> trials, int width) {
        return lines(trials, TrialNames.among(trials)::of, width);
    }

    /** Returns the lines with the command's own names of trials. */
    public static List<String> lines(List<TrialResult> trials, Function<TrialResult, String> name, int width) {
        List<String> lines = new ArrayList<>();
        for (TrialResult trial : trials) {
            Tail tail = trial.explanation() == null ? null : trial.explanation().tail();
            if (tail != null && tail.messages() > 0) {
                lines.addAll(Wrapped.lines(trials.size() > 1 ? name.apply(trial) + " " : "", text(tail), width));
            }
        }
        return lines;
    }

    /**
     * Returns the causes in a line: {@code above p99.9 (3.10 ms): 62 % machine stall, 21 % GC, 17 % queueing; 30 of 30 messages
     * analysed}.
     */
    public static String text(Tail tail) {
        String what = "above " + ResultTable.name(tail.percentile()) + " (" + Units.time(tail.thresholdNanos()) + "): ";
        String counts = Units.count(tail.joined()) + " of " + Units.count(tail.messages()) + " messages analysed";
        if (tail.shares().isEmpty()) {
            return what + counts;
        }
        return what
                + tail.shares().stream()
                        .map(share -> percent(share.part()) + " " + name(share.cause()))
                        .collect(Collectors.joining(", "))
                + "; " + counts;
    }

    private static String percent(double part) {
        return part < LEAST_SHOWN ? "< 1 %" : String.format(Locale.ROOT, "%.0f %%", 100 * part);
    }

    public static String name(Tail.Cause cause) {
        return switch (cause) {
            case GC -> "GC";
            case SAFEPOINT -> "safepoints";
            case STOPPED -> "process stopped";
            case HOST -> "machine stall";
            case GENERATOR_WITHOUT_CPU -> "sender without CPU";
            case GENERATOR_PACED -> "loop paused (latency budget)";
            case GENERATOR_PARKED -> "sender asleep";
            case GENERATOR -> "sender busy";
            case QUEUEING -> "queueing";
            case UNKNOWN -> "unknown";
        };
    }
}
