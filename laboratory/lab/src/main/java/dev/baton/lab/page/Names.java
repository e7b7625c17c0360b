package dev.baton.lab.page;

import dev.baton.lab.matrix.Variant;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names of the trials of an experiment, and which of them are repetitions. Immutable, thread-safe.
 *
 * @param isMatrix whether trials are repetitions of a matrix' rows
 * @param isDensity whether trials differ in their number of chains
 * @param isAdvice whether trials differ in their settings
 * @param isShort whether the short names of trials are distinct
 * @param repeated names of several trials
 */
record Names(boolean isMatrix, boolean isDensity, boolean isAdvice, boolean isShort, Set<String> repeated) {
    /** The row and the round before a trial's name in a matrix. */
    private static final Pattern ROUND = Pattern.compile("^(\\d+)\\.0*(\\d+)-(.*)$");

    private static final String AGAIN = "-again";
    private static final String TIMES = " \u00d7 ";

    /**
     * Creates the names.
     *
     * @param experiment null when its file could not be read
     */
    static Names among(Experiment experiment, List<TrialResult> trials) {
        boolean isMatrix = !trials.isEmpty()
                && trials.stream()
                        .allMatch(trial -> ROUND.matcher(trial.plan().id()).matches());
        long distinct = trials.stream()
                .map(trial -> TrialNames.of(trial.plan()))
                .distinct()
                .count();
        String command = experiment == null || experiment.commandLine().isEmpty()
                ? ""
                : experiment.commandLine().get(0);
        Names names = new Names(
                isMatrix,
                command.equals("density") || isDensity(trials),
                command.equals("advise"),
                distinct == trials.size(),
                new HashSet<>());
        Set<String> seen = new HashSet<>();
        trials.stream().map(names::of).filter(name -> !seen.add(name)).forEach(names.repeated::add);
        return names;
    }

    private static boolean isDensity(List<TrialResult> trials) {
        return trials.stream().allMatch(trial -> trial.plan().study().equals(Study.CHAINS))
                && trials.stream()
                                .map(trial -> trial.plan().shape().instances())
                                .distinct()
                                .count()
                        > 1;
    }

    String of(TrialResult trial) {
        TrialPlan plan = trial.plan();
        if (isAdvice) {
            return series(trial) + ", trial " + plan.id().replaceFirst("-.*$", "");
        }
        if (isMatrix) {
            return series(trial) + ", trial " + ROUND.matcher(plan.id()).replaceFirst("$2");
        }
        if (isDensity) {
            String name = TrialNames.of(plan) + TIMES + plan.shape().instances();
            return repeated.contains(name) ? name + ", trial " + plan.id().replaceFirst("^0*(\\d+)-.*$", "$1") : name;
        }
        return isShort ? TrialNames.of(plan) : plan.id();
    }

    /** Returns the name of all trials that repeat this one, or differ from it only in the number of chains. */
    String series(TrialResult trial) {
        TrialPlan plan = trial.plan();
        if (isAdvice) {
            return setting(trial);
        }
        if (isMatrix) {
            String name = ROUND.matcher(plan.id()).replaceFirst("$3");
            return name.endsWith(AGAIN) ? name.substring(0, name.length() - AGAIN.length()) + Variant.AGAIN : name;
        }
        if (isDensity) {
            return TrialNames.of(plan) + ", " + plan.loops().threading();
        }
        return of(trial);
    }

    /** Returns the transport, the loops, and all values that are not defaults. */
    private static String setting(TrialResult trial) {
        LoopPlan loops = trial.plan().loops();
        Subject subject = trial.plan().subject();
        List<String> parts = new ArrayList<>(List.of(TrialNames.of(trial.plan()), loops.threading()));
        if (loops.latencyBudgetNanos() > 0) {
            parts.add("latency budget " + Units.typed(Duration.ofNanos(loops.latencyBudgetNanos())));
        }
        if (!loops.idle().equals(LoopPlan.DEFAULT_IDLE)) {
            parts.add("idle " + loops.idle());
        }
        if (loops.batch() > 0) {
            parts.add("batch " + loops.batch());
        }
        subject.options().forEach((key, value) -> {
            if (!key.equals(Subject.DIRECTORY) && !key.equals(Subject.BROKERS)) {
                parts.add(key + "=" + value);
            }
        });
        parts.add(Remarks.collector(trial.environment().jvm()));
        return String.join(", ", parts);
    }

    /** Returns the part of a trial's name before the number of its round: the row of the matrix. */
    static String row(TrialResult trial) {
        return ROUND.matcher(trial.plan().id()).replaceFirst("$1");
    }
}
