package dev.baton.lab.study.window;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.search.CapacitySearch;
import dev.baton.lab.search.Search;
import dev.baton.lab.study.window.FoundItems.Tried;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.terminal.Units;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The search for the most items of one job, by the number of its keys: of one transport and state, with a number of loops and of collector
 * threads. It proceeds as {@link CapacitySearch} over the indexes of the list of numbers, with the verdicts of a {@link StepPool}: an
 * exploratory trial is judged where one step lies above the percentile, and trials are pooled until so many do that a verdict can be
 * quoted. Confined to one thread.
 */
final class ItemSearch extends Search {
    /** Trials in a row that are inconclusive, mostly because of the host, and that count for nothing. */
    private static final int MOST_DOUBTED = 3;

    private static final int LOOKING_SAMPLES = 1;

    final String name;
    private final List<PlannedTrial> trials; // a number of keys each, rising
    private final int decidingSamples;
    private final SortedMap<Integer, Point> points = new TreeMap<>(); // by place
    private int doubted; // in a row
    private String doubt = ""; // of the last of these
    private boolean isFaulty;
    private Tried last;

    /** The measurements with one number of keys. */
    private static final class Point {
        private final TrialPlan plan;
        private final WindowStudy study;
        private final StepPool pool; // all that counts
        private int attempts;
        private Verdict verdict; // null before the first one
        private boolean isDecided;
        private String reason = "";

        Point(TrialPlan plan) {
            this.plan = plan;
            study = (WindowStudy) plan.study();
            pool = new StepPool(study);
        }

        Tried tried() {
            return new Tried(
                    study.keys(),
                    WindowStudy.itemsPerSecond(plan),
                    pool.trials,
                    study.shown().stream().map(pool::over).toList(),
                    pool.figures(),
                    verdict,
                    isDecided,
                    reason);
        }

        private void judged(Verdict last, boolean isDeciding, String why) {
            verdict = last;
            isDecided = isDeciding;
            reason = why;
        }

        private String broken() {
            return study.shown().stream()
                    .filter(limit -> pool.over(limit) > 0)
                    .map(limit -> Units.count(pool.over(limit)) + " of "
                            + Units.count(pool.figures().count()) + " steps were over the limit of " + limit)
                    .collect(Collectors.joining(" and "));
        }
    }

    private ItemSearch(List<PlannedTrial> job, boolean isQuick) {
        super(new CapacitySearch(1, job.size(), new CapacitySearch.StepWidth(0, 1)));
        PlannedTrial any = job.get(0);
        name = WindowTable.Names.job(any.plan()) + WindowTable.Names.collecting(any.flags());
        trials = job.stream()
                .sorted(Comparator.comparing(
                        trial -> ((WindowStudy) trial.plan().study()).keys()))
                .toList();
        decidingSamples = isQuick ? LOOKING_SAMPLES : Limit.ENOUGH_SAMPLES;
    }

    /** A search for each job among these trials, which differ in nothing else but keys. */
    static List<ItemSearch> of(List<PlannedTrial> trials, boolean isQuick) {
        Map<String, List<PlannedTrial>> jobs = trials.stream()
                .collect(Collectors.groupingBy(
                        trial -> trial.plan().id().replaceFirst("-\\d+-keys", ""),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return jobs.values().stream().map(job -> new ItemSearch(job, isQuick)).toList();
    }

    @Override
    public boolean isOver() {
        return !isConclusive() || super.isOver();
    }

    @Override
    public PlannedTrial next(int number) {
        int place = search.next().instances();
        PlannedTrial trial = trials.get(place - 1);
        int attempt = points.computeIfAbsent(place, any -> new Point(trial.plan())).attempts + 1;
        return trial.named(String.format(Locale.ROOT, "%s-t%02d", trial.plan().id(), attempt));
    }

    @Override
    public boolean enter(PlannedTrial trial, FinishedTrial finished, long tookNanos) {
        last = entered(finished);
        return last != null;
    }

    /** {@return the number of keys that the last trial decided upon; null when it decided none} */
    Tried last() {
        return last;
    }

    private Tried entered(FinishedTrial finished) {
        CapacitySearch.Step step = search.next();
        Point point = points.get(step.instances());
        point.attempts++;
        TrialResult result = finished.result();
        if (result == null) {
            return fail(point, step.isDeciding(), finished.failure().getMessage());
        }
        if (result.outcome().verdict() == Verdict.INCONCLUSIVE) {
            doubt(result.outcome().reasons().get(0));
            return null;
        }
        if (result.outcome().verdict() == Verdict.FAIL) {
            isFaulty |=
                    !result.delivery().isFaultless() || result.outcome().stop().isPresent();
            return fail(point, step.isDeciding(), result.outcome().reasons().get(0));
        }
        if (!point.pool.add(result)) {
            doubt("stalls caused outside the trial would exceed the limit alone");
            return null;
        }
        return judge(point, step.isDeciding());
    }

    private Tried fail(Point point, boolean isDeciding, String why) {
        doubted = 0;
        point.judged(Verdict.FAIL, isDeciding, why);
        search.enter(Verdict.FAIL);
        return point.tried();
    }

    private void doubt(String why) {
        doubt = why;
        doubted++;
    }

    private Tried judge(Point point, boolean isDeciding) {
        Verdict verdict = point.pool.judge(isDeciding ? decidingSamples : LOOKING_SAMPLES);
        doubted = 0;
        if (verdict != null) {
            point.judged(verdict, isDeciding, verdict == Verdict.FAIL ? point.broken() : "");
            search.enter(verdict);
        }
        return verdict == null ? null : point.tried();
    }

    /** {@return why it was ended early; null when it was not} */
    String stopped() {
        if (stop() != null) {
            return stop().toString();
        }
        return isConclusive() ? null : MOST_DOUBTED + " trials in a row were (" + doubt + ")";
    }

    /** {@return the measurements, by increasing numbers of keys} */
    List<Tried> points() {
        return points.values().stream()
                .filter(point -> point.attempts > 0)
                .map(Point::tried)
                .toList();
    }

    /** {@return the measurement at an index of the finding; null at index 0} */
    Tried at(int place) {
        Point point = points.get(place);
        return point == null ? null : point.tried();
    }

    /** {@return whether verdicts are based on too few steps to be quoted} */
    boolean isProvisional() {
        return decidingSamples < Limit.ENOUGH_SAMPLES;
    }

    /** {@return whether it reached its end} */
    boolean isConclusive() {
        return stop() == null && doubted < MOST_DOUBTED;
    }

    /** {@return the exit code for its end} */
    int exitCode() {
        if (refusal() != null) {
            return ExitCode.of(refusal());
        }
        if (isFaulty || isConclusive() && finding().end() == CapacitySearch.Finding.End.NONE) {
            return ExitCode.FAILED;
        }
        return isConclusive() ? ExitCode.OK : ExitCode.INCONCLUSIVE;
    }
}
