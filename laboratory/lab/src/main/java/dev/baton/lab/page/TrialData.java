package dev.baton.lab.page;

import dev.baton.lab.reporting.Verdicts;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Explanation;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.Percentile;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Tail;
import dev.baton.operations.terminal.Cell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One trial as a page shows it. Immutable, thread-safe.
 *
 * @param experiment index of its experiment
 * @param series index of its series
 * @param reasons why it did not pass
 * @param figures in the order of the page's headings
 * @param curve values at the page's points; empty without a histogram
 * @param marks percentiles as its result has them
 * @param time null when it is not drawn
 * @param heat null when it is not drawn, or was not recorded
 * @param disturbances within the recorded window
 * @param collections null when none was counted
 * @param omitted number of those that are not listed
 * @param tail null when it was not analysed
 * @param capacity null when the trial is not part of a search for a capacity
 */
record TrialData(
        String name,
        int experiment,
        int series,
        String verdict,
        List<String> reasons,
        List<Cell> figures,
        long count,
        List<Long> curve,
        List<Percentile> marks,
        List<Bound> limits,
        TimeLine time,
        List<List<Long>> heat,
        List<Disturbance> disturbances,
        Collections collections,
        long omitted,
        Tail tail,
        List<Stage> stages,
        Cost cost,
        Capacity capacity) {

    /** A limit. @param text as given on the command line */
    record Bound(String text, double percentile, long nanos) {
        static Bound of(Limit limit) {
            return new Bound(limit.toString(), limit.percentile(), limit.nanos());
        }
    }

    /** The collections within the recorded window, as the tables of results have them. @param nanos their pauses together */
    record Collections(long number, long nanos) {
        static Collections of(Machine machine) {
            return machine == null
                            || machine.gcCount() == null
                            || machine.gcCount() == 0
                            || machine.gcPauseNanos() == null
                    ? null
                    : new Collections(machine.gcCount(), machine.gcPauseNanos());
        }
    }

    /**
     * The cost of a trial.
     *
     * @param cores CPU time, the broker's included, over wall time; null: unknown, like the rest
     * @param nanosPerHop CPU time of each topic crossed, the broker's included
     * @param residentBytes of the JVM and the broker
     * @param p999Nanos measured latency
     */
    record Cost(Double cores, Double nanosPerHop, Long residentBytes, Long p999Nanos, boolean hasFewSamples) {}

    /**
     * A point of a capacity curve.
     *
     * @param worstNanos p99.9 of the worst instance
     */
    record Capacity(int instances, Long worstNanos, Double cores) {}

    /** Makes what a page shows of a trial. Confined to one thread. @param complaints takes what cannot be read */
    record Maker(Report.Detail detail, List<String> complaints) {
        /**
         * Creates the data of a trial.
         *
         * @param isCounted whether it is a point of a capacity curve
         */
        TrialData of(
                TrialResult trial,
                Path folder,
                String name,
                int experiment,
                int series,
                List<Cell> figures,
                boolean isCounted) {
            Recorded recorded = new Recorded(folder, trial);
            Explanation explained = trial.explanation() == null ? Explanation.NONE : trial.explanation();
            int seconds = trial.timeline().size();
            int each = detail.columns() == 0 ? 1 : Math.max(1, (seconds + detail.columns() - 1) / detail.columns());
            int columns = (seconds + each - 1) / each;
            boolean isDrawn = detail.columns() > 0 && seconds > 1;
            HeatMap heat = isDrawn ? heat(recorded, each, columns) : null;
            List<Disturbance> all = disturbances(trial, explained).stream()
                    .map(any -> within(trial.plan().phases().measureNanos(), any))
                    .filter(any -> any.nanos() > 0)
                    .toList();
            List<Disturbance> kept = Explanation.longest(all, detail.disturbances());
            return new TrialData(
                    name,
                    experiment,
                    series,
                    Verdicts.word(trial),
                    reasons(trial),
                    figures,
                    trial.response().count(),
                    curve(recorded),
                    trial.response().percentiles().stream()
                            .filter(entry -> entry.nanos() != null)
                            .toList(),
                    trial.plan().limits().stream().map(Bound::of).toList(),
                    isDrawn ? TimeLine.of(trial.timeline(), each, heat) : null,
                    heat == null ? null : heat.columns(),
                    isDrawn ? kept : List.of(),
                    Collections.of(trial.machine()),
                    explained.omitted() + all.size() - kept.size(),
                    explained.tail(),
                    explained.stages(),
                    cost(trial),
                    isCounted ? capacity(trial) : null);
        }

        private HeatMap heat(Recorded recorded, int each, int columns) {
            try {
                return HeatMap.of(recorded, each, columns);
            } catch (IOException unreadable) {
                complaints.add(unreadable.getMessage());
                return null;
            }
        }

        private List<Long> curve(Recorded recorded) {
            try {
                Histogram responses = recorded.responses();
                return responses == null ? List.of() : Curve.of(responses);
            } catch (IOException unreadable) {
                complaints.add(unreadable.getMessage());
                return List.of();
            }
        }

        private static List<String> reasons(TrialResult trial) {
            List<String> reasons = new ArrayList<>(trial.outcome().reasons());
            if (trial.outcome().verdict() != Verdict.PASS && reasons.isEmpty()) {
                reasons.add("no reason given");
            }
            trial.delivery().incidents().stream().limit(5).map(Verdicts::text).forEach(reasons::add);
            if (trial.machine() != null) {
                trial.machine().absent().forEach(absent -> reasons.add("not measured: " + absent));
            }
            return reasons;
        }

        /** Returns the part of a disturbance that lies within the recorded window. */
        private static Disturbance within(long windowNanos, Disturbance whole) {
            long from = Math.max(0, whole.startNanos());
            long to = Math.min(windowNanos, whole.startNanos() + whole.nanos());
            return new Disturbance(whole.kind(), from, to - from, whole.what());
        }

        /** Returns the disturbances; in earlier versions, which did not list them, the stalls of the host. */
        private static List<Disturbance> disturbances(TrialResult trial, Explanation explained) {
            if (trial.explanation() != null
                    || trial.machine() == null
                    || trial.machine().host() == null) {
                return explained.disturbances();
            }
            return trial.machine().host().stalls().stream()
                    .filter(stall -> stall.cause() != HostActivity.Cause.JVM)
                    .map(stall -> new Disturbance(
                            kind(stall.cause()),
                            stall.atNanos() - stall.nanos(),
                            stall.nanos(),
                            stall.cause() == HostActivity.Cause.OTHER_PROCESSES ? "other processes had the cores" : ""))
                    .toList();
        }

        private static Disturbance.Kind kind(HostActivity.Cause cause) {
            return switch (cause) {
                case STOPPED -> Disturbance.Kind.STOPPED;
                case OTHER_PROCESSES, HOST -> Disturbance.Kind.HOST;
                case BUSY, JVM -> Disturbance.Kind.BUSY;
            };
        }

        private static Cost cost(TrialResult trial) {
            Machine machine = trial.machine();
            Percentile tail = trial.response().find(99.9).orElse(null);
            boolean isChain = trial.plan().study().equals(Study.CHAINS);
            return new Cost(
                    trial.cpuCores(),
                    isChain ? trial.cpuNanosPerHop() : null,
                    machine == null || machine.memory() == null
                            ? null
                            : Long.valueOf(machine.memory().residentBytes()
                                    + (machine.brokerMemory() == null
                                            ? 0
                                            : machine.brokerMemory().residentBytes())),
                    tail == null ? null : tail.nanos(),
                    tail != null && tail.hasFewSamples());
        }

        private static Capacity capacity(TrialResult trial) {
            TrialPlan plan = trial.plan();
            return new Capacity(
                    plan.shape().instances(),
                    trial.worstInstance().map(InstanceFigures::p999Nanos).orElse(null),
                    trial.cpuCores());
        }
    }
}
