package dev.baton.lab.study.advice;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.matrix.Comparison;
import dev.baton.lab.matrix.RoundOrder;
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
 * The best setting and the next best in alternation, as a matrix runs them: in seeded rounds, the best one twice in each, so that the
 * difference of its two trials is chance. Confined to one thread.
 */
final class Confirmation {
    /** The least number of passes for a recommendation. */
    static final int LEAST_ROUNDS = 2;

    static final int MOST_ROUNDS = 5;

    /** The greatest difference of identical trials, as a share of their median, for a valid cost. */
    static final double MOST_NOISE = 0.5;

    private final List<Candidate> settings;
    private final RoundOrder schedule;
    private final List<List<FinishedTrial>> ended = new ArrayList<>();

    private Confirmation(List<Candidate> settings, RoundOrder schedule) {
        this.settings = settings;
        this.schedule = schedule;
        schedule.variants().forEach(variant -> ended.add(new ArrayList<>()));
    }

    /**
     * Plans as many rounds as the time permits.
     *
     * @param settings the best one and the next best; or the only one
     * @param trial creates the deciding trial of a setting
     * @param number of the comparison, from 1
     * @return null when there is no time for {@value #LEAST_ROUNDS} rounds
     */
    static Confirmation within(
            TrialBudget budget,
            List<Candidate> settings,
            Function<Candidate, PlannedTrial> trial,
            int number,
            long seed) {
        List<Variant> variants = settings.stream()
                .map(each -> Variant.of(each.name(), trial.apply(each)))
                .toList();
        for (int rounds = MOST_ROUNDS; rounds >= LEAST_ROUNDS; rounds--) {
            RoundOrder schedule = RoundOrder.of(variants, rounds, seed + number);
            if (budget.allows(
                    schedule.turns().stream().map(RoundOrder.Turn::trial).toList())) {
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
        for (RoundOrder.Turn turn : schedule.turns()) {
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

    Candidate best() {
        return settings.get(0);
    }

    /** Returns the next best setting; null when there is only one. */
    Candidate next() {
        return settings.size() == 1 ? null : settings.get(1);
    }

    private Stream<FinishedTrial> ended(Candidate setting) {
        int row = settings.indexOf(setting);
        if (row < 0) {
            return Stream.empty();
        }
        List<FinishedTrial> again = row == 0 ? ended.get(ended.size() - 1) : List.of();
        return Stream.concat(ended.get(row).stream(), again.stream());
    }

    /** Returns the results of a setting's trials, including the repetitions of the best one. */
    List<TrialResult> results(Candidate setting) {
        return results(ended(setting));
    }

    private static List<TrialResult> results(Stream<FinishedTrial> ended) {
        return ended.map(FinishedTrial::result).filter(Objects::nonNull).toList();
    }

    /** {@return whether one of its trials failed, or its JVM ended before it wrote a result} */
    boolean isBroken(Candidate setting) {
        return ended(setting)
                .anyMatch(each -> each.result() == null
                        ? each.failure() != null
                        : each.result().outcome().verdict() == Verdict.FAIL);
    }

    /** {@return whether it kept the limit often enough for a recommendation, with a known cost} */
    boolean isKept(Candidate setting) {
        return !isBroken(setting) && passes(setting) >= LEAST_ROUNDS && cost(setting) != null;
    }

    long passes(Candidate setting) {
        return results(setting).stream()
                .filter(each -> each.outcome().verdict() == Verdict.PASS)
                .count();
    }

    /** Returns the number of planned trials of this setting. */
    long planned(Candidate setting) {
        return schedule.turns().stream()
                .filter(turn -> settings.get(turn.variant() % settings.size()).equals(setting))
                .count();
    }

    /** Returns why the first failed trial failed; empty when all completed trials passed. */
    String reason(Candidate setting) {
        return ended(setting)
                .map(each -> new Tried(setting, each, true))
                .filter(each -> each.verdict() != Verdict.PASS)
                .sorted(Comparator.comparing(each -> each.verdict() != Verdict.FAIL))
                .map(Tried::reason)
                .findFirst()
                .orElse("");
    }

    /** {@return the cost of its trials; null when it is unknown} */
    Spread cost(Candidate setting) {
        return Spread.of(results(setting).stream()
                .map(Tried::cpuNanos)
                .filter(Objects::nonNull)
                .toList());
    }

    /** The difference between the costs of identical trials, as a share; infinite when there are too few. */
    double noise() {
        List<Series> series = IntStream.range(0, ended.size())
                .mapToObj(row -> new Series(schedule.variants().get(row), results(ended.get(row).stream()), List.of()))
                .toList();
        return Comparison.noise(series, Tried::cpuNanos);
    }

    /** Returns the setting whose cost is lower by more than chance; null when the difference is within the noise. */
    Candidate cheaper() {
        Spread one = cost(best());
        Spread other = cost(next());
        if (one == null || other == null || !one.differsFrom(other, noise())) {
            return null;
        }
        return one.median() < other.median() ? best() : next();
    }
}
