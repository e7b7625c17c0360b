package dev.baton.lab.reporting;

import dev.baton.lab.results.Headline;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The questions of trials, with their answers in a sentence or two that can be quoted. Stateless, thread-safe. */
public final class Headlines {
    private static final String OTHER_PROMISES = "Their guarantees differ: do not rank them.";
    private static final int MOST_NAMED = 8;

    private Headlines() {}

    /**
     * Creates the headline.
     *
     * @param trials one or more, of one command
     */
    public static Headline of(List<TrialResult> trials, Function<TrialResult, String> name) {
        StudyView view = StudyView.of(trials.get(0).plan().study());
        List<String> answers = new ArrayList<>();
        answers.addAll(provisional(trials));
        answers.addAll(view.answers(trials));
        answers.add(figures(trials, name));
        answers.addAll(view.remarks(trials));
        answers.addAll(Remarks.onPromises(trials).stream()
                .map(remark -> OTHER_PROMISES)
                .toList());
        answers.addAll(Remarks.onPrimitiveTrials(trials));
        return new Headline(asked(trials), answers);
    }

    /** Returns the warning that trials are exploratory, as a sentence; none where none is. */
    public static List<String> provisional(List<TrialResult> trials) {
        return Remarks.onProvisional(trials).stream().map(Headlines::sentence).toList();
    }

    /** Returns the warnings about provisional trials and different guarantees that these answers do not contain. */
    public static List<String> furtherWarnings(List<String> answers, List<TrialResult> trials) {
        List<String> warnings = new ArrayList<>();
        if (!answers.containsAll(provisional(trials))) {
            warnings.addAll(Remarks.onProvisional(trials));
        }
        if (!answers.contains(OTHER_PROMISES)) {
            warnings.addAll(Remarks.onPromises(trials));
        }
        return warnings;
    }

    private static String sentence(String remark) {
        return Character.toUpperCase(remark.charAt(0)) + remark.substring(1) + ".";
    }

    public static String asked(List<TrialResult> trials) {
        return StudyView.of(trials.get(0).plan().study()).title(trials);
    }

    private static String figures(List<TrialResult> trials, Function<TrialResult, String> name) {
        String each = trials.stream()
                .limit(MOST_NAMED)
                .map(trial -> name.apply(trial) + ": " + figures(trial))
                .collect(Collectors.joining("; "));
        return each + (trials.size() > MOST_NAMED ? "; and " + (trials.size() - MOST_NAMED) + " more" : "") + ".";
    }

    /** The median and the highest percentile that this trial can vouch for; without messages, the CPU time. */
    private static String figures(TrialResult trial) {
        List<String> parts = new ArrayList<>();
        if (trial.outcome().verdict() != Verdict.PASS) {
            parts.add(trial.outcome().verdict()
                    + (trial.outcome().reasons().isEmpty()
                            ? ""
                            : " (" + trial.outcome().reasons().get(0) + ")"));
        }
        if (trial.plan().load().isSaturated()) {
            parts.add(Units.count(Math.round(trial.rate().achievedPerSecond())) + " per second");
        }
        if (trial.plan().load().isNone()) {
            Stream.of("CPU", "broker CPU")
                    .filter(heading -> !ResultTable.figure(trial, heading).equals(ResultTable.NONE))
                    .map(heading ->
                            heading + " " + ResultTable.figure(trial, heading).text())
                    .forEach(parts::add);
        }
        List<Percentile> known = trial.response().percentiles().stream()
                .filter(entry -> entry.nanos() != null && !entry.hasFewSamples())
                .sorted(Comparator.comparingDouble(Percentile::percentile))
                .toList();
        known.stream().limit(1).forEach(entry -> parts.add(text(entry)));
        known.stream().skip(1).reduce((one, other) -> other).ifPresent(entry -> parts.add(text(entry)));
        if (trial.response().maxNanos() != null) {
            parts.add("max " + Units.time(trial.response().maxNanos()));
        }
        return parts.isEmpty() ? "nothing was recorded" : String.join(", ", parts);
    }

    private static String text(Percentile entry) {
        return ResultTable.name(entry.percentile()) + " " + Units.time(entry.nanos());
    }
}
