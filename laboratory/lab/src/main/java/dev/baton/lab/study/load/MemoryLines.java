package dev.baton.lab.study.load;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.MemoryBudget;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The output about the memory of a JVM: its division, each tried size, the smallest. Stateless. */
public final class MemoryLines {
    private static final int MEGA = 20;

    private MemoryLines() {}

    /** Returns the description of the search, printed before it. */
    public static List<String> heading(TrialPlan plan, long leastBytes, long mostBytes, int width) {
        return Wrapped.lines(
                "",
                "the smallest memory from " + megabytes(leastBytes) + " to " + megabytes(mostBytes)
                        + " that meets " + limits(plan.limits()) + " (service time, closed loop, "
                        + Units.count(plan.load().concurrency()) + " in flight), to " + MemorySearch.STEP_MEGABYTES
                        + " MiB; the answer and the size below it are measured twice",
                width);
    }

    public static List<String> step(String name, long bytes, FinishedTrial end, int width) {
        String label = name + String.format(Locale.ROOT, " %9s: ", megabytes(bytes));
        if (MemorySearch.isShort(end)) {
            return Wrapped.lines(label, "out of memory", width);
        }
        TrialResult result = end.result();
        Percentile p99 = result.response().at(99);
        Long peak = result.findings() instanceof LoadFindings load ? load.peakResidentBytes() : null;
        String text = Verdicts.word(result) + ", "
                + Units.count(Math.round(result.rate().achievedPerSecond())) + " requests/s, p99 "
                + (p99.nanos() == null ? "-" : Units.time(p99.nanos()))
                + (peak == null ? "" : ", peak RSS " + Units.bytes(peak))
                + (result.outcome().verdict() == Verdict.PASS ? "" : "; " + Verdicts.reasons(result));
        return Wrapped.lines(label, text, width);
    }

    /** Returns the result of a search. */
    static List<String> answer(MemorySearch search, long mostBytes, int width) {
        String name = TrialNames.of(search.trial.plan());
        if (!search.isConclusive()) {
            return Wrapped.lines("", name + ": the search ended early, the smallest memory is not known", width);
        }
        long bytes = search.smallestBytes();
        return Wrapped.lines(
                "",
                bytes == 0
                        ? name + ": no smallest memory was found up to " + megabytes(mostBytes)
                        : "smallest memory of " + name + " that meets "
                                + limits(search.trial.plan().limits()) + ": " + megabytes(bytes),
                width);
    }

    /** Describes the division of a budget, and its enforcement. */
    static String division(MemoryBudget budget) {
        return String.format(
                Locale.ROOT,
                "%s in all = heap %s + direct %s + classes %s + code %s + %d stacks of %d KiB + the JVM itself %s; %s",
                megabytes(budget.totalBytes()),
                megabytes(budget.heapBytes()),
                megabytes(budget.directBytes()),
                megabytes(budget.metaspaceBytes()),
                megabytes(budget.codeBytes()),
                budget.threads(),
                budget.stackBytes() >> 10,
                megabytes(budget.ownBytes()),
                budget.isGroup()
                        ? "a control group limits the whole process"
                        : "without a control group, flags of the JVM limit each of its parts; see peak RSS, which contains"
                                + " mapped files, too");
    }

    /** Returns the remark on more resident memory than the budget. */
    static List<String> onExcess(String name, MemoryBudget budget, Long peakBytes) {
        return budget == null || peakBytes == null || peakBytes <= budget.totalBytes()
                ? List.of()
                : List.of(
                        name + ": peak RSS " + megabytes(peakBytes) + " is more than " + megabytes(budget.totalBytes())
                                + "; RSS counts pages of files that the system can take back, and that it shares among processes:"
                                + " the JVM's library and class archive, and queues");
    }

    private static String limits(List<Limit> limits) {
        return limits.stream().map(Limit::toString).collect(Collectors.joining(", "));
    }

    static String megabytes(long bytes) {
        return Units.count(bytes >> MEGA) + " MiB";
    }
}
