package dev.baton.lab.study.window;

import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.request.Limit;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.search.CapacitySearch.Finding;
import dev.baton.lab.study.window.FoundItems.Tried;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The texts of searches for the most items. Stateless, thread-safe. */
final class ItemSearchText {
    private ItemSearchText() {}

    static String asked(List<Limit> limits) {
        return "the most items/s of a window that keep " + Limit.text(limits);
    }

    /** Describes the effort of a verdict. @param samples above a limit's percentile on which it is based */
    static String needed(List<Limit> limits, int samples, double stepsPerSecond) {
        return limits.stream()
                .map(limit -> {
                    long steps = StepPool.needed(limit, samples);
                    return limit + " takes " + Units.count(steps) + " steps, "
                            + Units.span(Duration.ofNanos((long) (steps / stepsPerSecond * 1e9)));
                })
                .collect(Collectors.joining("; ", "a verdict on ", " of measurement"));
    }

    /** A number of keys that was just judged. */
    static String judged(ItemSearch search, Tried point) {
        return search.name + ", " + items(point) + ": " + point.verdict()
                + (point.isDecided() ? "" : " (exploratory)")
                + (point.reason().isEmpty() ? "" : ": " + point.reason());
    }

    private static String items(Tried point) {
        return WindowTable.millions(point.itemsPerSecond()) + " items/s (" + Units.count(point.keys()) + " keys)";
    }

    static Table table(ItemSearch search) {
        Map<String, Function<Tried, Cell>> columns = new LinkedHashMap<>();
        columns.put("items/s", point -> Cell.of(WindowTable.millions(point.itemsPerSecond())));
        columns.put("trials", point -> Cell.of(Units.count(point.trials())));
        columns.put("steps", point -> Cell.of(Units.count(point.response().count())));
        WindowTable.addTail(columns, Tried::response);
        columns.put("verdict", ItemSearchText::verdict);
        return WindowTable.table(columns, search.points(), point -> Units.count(point.keys()) + " keys");
    }

    private static Cell verdict(Tried point) {
        if (point.verdict() == null) {
            return ResultTable.NONE;
        }
        Tone tone = !point.isDecided() ? Tone.GREY : point.verdict() == Verdict.PASS ? Tone.GOOD : Tone.BAD;
        return Cell.of(point.verdict().name(), tone);
    }

    /** Returns the result of a search, to be quoted alone. */
    static String answer(ItemSearch search, List<Limit> limits) {
        return search.name + ": " + core(search, Limit.text(limits))
                + (search.isProvisional() ? " Provisional: --quick judges on too few steps to be quoted." : "");
    }

    private static String core(ItemSearch search, String limits) {
        Finding finding = search.finding();
        Tried holds = search.at(finding.holds());
        Tried breaks = search.at(finding.breaks());
        if (!search.isConclusive()) {
            return "inconclusive, as "
                    + search.stopped() + ": "
                    + (holds == null
                            ? "nothing is known to keep " + limits
                            : items(holds) + " keep " + limits + (finding.isConfirmed() ? "" : " (not confirmed)"))
                    + (breaks == null ? "" : ", and " + items(breaks) + " did not (" + breaks.reason() + ")") + ".";
        }
        return switch (finding.end()) {
            case FOUND ->
                items(holds) + " keep " + limits + "; " + items(breaks) + " did not (" + breaks.reason() + ").";
            case AT_MOST -> "at least " + items(holds) + " keep " + limits + "; more keys were not tried.";
            default -> "not even " + items(breaks) + " keep " + limits + ": " + breaks.reason() + ".";
        };
    }
}
