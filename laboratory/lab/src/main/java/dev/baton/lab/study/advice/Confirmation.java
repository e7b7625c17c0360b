package dev.baton.lab.study.advice;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.matrix.Comparison;
import dev.baton.lab.matrix.Schedule;
import dev.baton.lab.matrix.Series;
import dev.baton.lab.matrix.Spread;
import dev.baton.lab.matrix.Variant;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The best setting and the next best against each other, as a matrix runs them: in seeded rounds, the best one twice in
 * each, so that what its halves differ by is chance. Confined to one thread.
 */
final class Confirmation {
    /** Passes without which nothing is recommended. */
    static final int LEAST_ROUNDS = 2;

    static final int MOST_ROUNDS = 5;

    /** Identical trials that differ by more, as a share of their median, do not tell what anything costs. */
    static final double MOST_NOISE = 0.5;

    private final List<Setting> settings;
    private final Schedule schedule;
    private final List<List<FinishedTrial>> ended = new ArrayList<>();

    private Confirmation(List<Setting> settings, Schedule schedule) {
        this.settings = settings;
        this.schedule = schedule;
        schedule.variants().forEach(variant -> ended.add(new ArrayList<>()));
    }

    /**
     * As many rounds as there is time for.
     *
     * @param settings the best one and the next best; or the only one
     * @param trial makes the deciding trial of a setting
     * @param number of the comparison, from 1
     * @return null when there is no time for {@value #LEAST_ROUNDS} rounds
     */
    static Confirmation within(
            TrialBudget budget, List<Setting> settings, Function<Setting, PlannedTrial> trial, int number, long seed) {
        List<Variant> variants = settings.stream()
                .map(each -> Variant.of(each.name(), trial.apply(each)))
                .toList();
        for (int rounds = MOST_ROUNDS; rounds >= LEAST_ROUNDS; rounds--) {
            Schedule schedule = Schedule.of(variants, rounds, seed + number);
            if (budget.allows(
                    schedule.turns().stream().map(Schedule.Turn::trial).toList())) {
                return new Confirmation(settings, schedule);
            }
        }
        return null;
    }

    /**
     * Runs all rounds, as long as there is time and the best setting keeps the limit.
     *
     * @param number of the comparison, from 1
     * @param listener is notified of each trial as it ends
     */
    void run(TrialBudget budget, int number, Consumer<Tried> listener) {
        for (Schedule.Turn turn : schedule.turns()) {
            PlannedTrial trial = turn.trial();
            if (budget.isInterrupted() || isBroken(best()) || !budget.allows(trial)) {
                return;
            }
            String id = (number == 1 ? "" : number) + trial.plan().id();
            FinishedTrial finished = budget.run(trial.named(id));
            ended.get(turn.variant()).add(finished);
            listener.accept(new Tried(settings.get(turn.variant() % settings.size()), finished, true));
        }
    }

    Setting best() {
        return settings.get(0);
    }

    /** Null when there is only one. */
    Setting next() {
        return settings.size() == 1 ? null : settings.get(1);
    }

    private Stream<FinishedTrial> ended(Setting setting) {
        int row = settings.indexOf(setting);
        if (row < 0) {
            return Stream.empty();
        }
        List<FinishedTrial> again = row == 0 ? ended.get(ended.size() - 1) : List.of();
        return Stream.concat(ended.get(row).stream(), again.stream());
    }

    /** What its trials found, the repetitions of the best one among them. */
    List<TrialResult> results(Setting setting) {
        return results(ended(setting));
    }

    private static List<TrialResult> results(Stream<FinishedTrial> ended) {
        return ended.map(FinishedTrial::result).filter(Objects::nonNull).toList();
    }

    /** Whether one of its trials failed, or its JVM did not live to write a result. */
    boolean isBroken(Setting setting) {
        return ended(setting)
                .anyMatch(each -> each.result() == null
                        ? each.failure() != null
                        : each.result().outcome().verdict() == Verdict.FAIL);
    }

    /** Whether it kept the limit as often as a recommendation needs, and its cost is known. */
    boolean isKept(Setting setting) {
        return !isBroken(setting) && passes(setting) >= LEAST_ROUNDS && cost(setting) != null;
    }

    long passes(Setting setting) {
        return results(setting).stream()
                .filter(each -> each.outcome().verdict() == Verdict.PASS)
                .count();
    }

    /** Returns the number of planned trials of this setting. */
    long planned(Setting setting) {
        return schedule.turns().stream()
                .filter(turn -> settings.get(turn.variant() % settings.size()).equals(setting))
                .count();
    }

    /** Why the first of its trials that did not pass did not; empty when all that ended passed. */
    String reason(Setting setting) {
        return ended(setting)
                .map(each -> new Tried(setting, each, true))
                .filter(each -> each.verdict() != Verdict.PASS)
                .sorted(Comparator.comparing(each -> each.verdict() != Verdict.FAIL))
                .map(Tried::reason)
                .findFirst()
                .orElse("");
    }

    /** What its trials cost; null when that is not known. */
    Spread cost(Setting setting) {
        return Spread.of(results(setting).stream()
                .map(Tried::cpuNanos)
                .filter(Objects::nonNull)
                .toList());
    }

    /** By how much the cost of identical trials differs, as a share; infinite when there are too few. */
    double noise() {
        List<Series> series = IntStream.range(0, ended.size())
                .mapToObj(row -> new Series(schedule.variants().get(row), results(ended.get(row).stream()), List.of()))
                .toList();
        return Comparison.noise(series, Tried::cpuNanos);
    }

    /** The one whose cost is lower by more than chance; null when they cannot be told apart. */
    Setting cheaper() {
        Spread one = cost(best());
        Spread other = cost(next());
        if (one == null || other == null || !one.differsFrom(other, noise())) {
            return null;
        }
        return one.median() < other.median() ? best() : next();
    }
}
