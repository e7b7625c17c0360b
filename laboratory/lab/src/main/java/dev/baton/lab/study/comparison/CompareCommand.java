package dev.baton.lab.study.comparison;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton compare}: compares two experiments, and marks differences that exceed the noise. */
@Command(
        name = "compare",
        sortOptions = false,
        description =
                "Compares two experiments or trials, percentile by percentile, and shows which differences exceed the"
                        + " noise.",
        footer = {
            "",
            "Exit codes: 0 compared; 1 a trial of either side failed; 2 usage error; 4 a trial was inconclusive, or there is"
                    + " nothing to compare."
        })
public final class CompareCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "BEFORE", description = "an experiment's folder, or a trial's file")
    private Path before;

    @Parameters(index = "1", paramLabel = "AFTER", description = "another folder or file")
    private Path after;

    @Option(
            names = "--anyway",
            description =
                    "compare different experiments, too, and the remaining files when some are missing or were changed")
    private boolean isForced;

    private final Console console;

    public CompareCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        ComparisonSide one = ComparisonSide.read(before);
        ComparisonSide other = ComparisonSide.read(after);
        one.requireUnaltered(isForced, "compare", console);
        other.requireUnaltered(isForced, "compare", console);
        List<String> lines = new ArrayList<>();
        int code = ExitCode.OK;
        for (Map.Entry<String, List<List<Sample>>> pair : pairs(one, other).entrySet()) {
            String names = pair.getKey();
            List<List<Sample>> series = pair.getValue();
            SetUpDifferences circumstances = SetUpDifferences.of(one, series.get(0), other, series.get(1));
            Checks.require(
                    circumstances.forbidding().isEmpty() || isForced,
                    names + " are not comparable: " + String.join("; ", circumstances.forbidding())
                            + "; --anyway compares them all the same");
            lines.addAll(
                    ComparisonReport.lines(names, series.get(0), series.get(1), circumstances, console.terminal()));
            code = ExitCode.graver(code, ComparisonReport.code(series.get(0), series.get(1)));
        }
        lines.addAll(unpaired(one, other));
        console.print(lines);
        return code;
    }

    /** Returns a line for each side that has series without a counterpart; none where no series have the same name. */
    private static List<String> unpaired(ComparisonSide one, ComparisonSide other) {
        Set<String> before = new TreeSet<>(one.series().keySet());
        Set<String> after = new TreeSet<>(other.series().keySet());
        if (Collections.disjoint(before, after)) {
            return List.of();
        }
        before.removeAll(other.series().keySet());
        after.removeAll(one.series().keySet());
        List<String> lines = new ArrayList<>();
        if (!before.isEmpty()) {
            lines.add("measured only before, not compared: " + String.join(", ", before));
        }
        if (!after.isEmpty()) {
            lines.add("measured only after, not compared: " + String.join(", ", after));
        }
        return lines;
    }

    /** Pairs the series of both sides by name; if each side has only one series, these two. */
    private static Map<String, List<List<Sample>>> pairs(ComparisonSide one, ComparisonSide other) {
        Map<String, List<List<Sample>>> pairs = new LinkedHashMap<>();
        one.series().forEach((name, samples) -> {
            if (other.series().containsKey(name)) {
                pairs.put(name, List.of(samples, other.series().get(name)));
            }
        });
        if (pairs.isEmpty() && one.series().size() == 1 && other.series().size() == 1) {
            String name = one.series().keySet().iterator().next();
            String against = other.series().keySet().iterator().next();
            pairs.put(
                    name + " and " + against,
                    List.of(one.series().get(name), other.series().get(against)));
        }
        if (pairs.isEmpty()) {
            throw CommandException.usage("nothing was measured on both sides: " + one.path() + " has "
                    + String.join(", ", new TreeSet<>(one.series().keySet())) + "; " + other.path() + " has "
                    + String.join(", ", new TreeSet<>(other.series().keySet())) + "; name two trials' files");
        }
        return pairs;
    }
}
