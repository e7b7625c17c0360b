package dev.baton.lab.study.selftest;

import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The closed-form result of a plan: for each slot the response on a machine that loses no time.
 *
 * <p>Slot s of an instance lies at s times the interval. A message whose slot falls into a stall from t on of length L waits until its end:
 * {@code t + L - s}. One that is delayed by d arrives d later, but not before its predecessor. One that is lost, or never sent, is charged
 * until the deadline: {@code deadline - s}. Immutable, thread-safe.
 *
 * @param values of all slots, rising
 * @param recorded null: of one instance
 * @param reported by percentile
 */
record Prediction(long[] values, Tolerance tolerance, Histogram recorded, DoubleFunction<Long> reported) {
    /** The three histograms. */
    enum Of {
        RESPONSE(TrialResult::response, TrialEvidence::response),
        SERVICE(TrialResult::service, TrialEvidence::service),
        SEND_DELAY(TrialResult::sendDelay, TrialEvidence::sendDelay);

        private final Function<TrialResult, Latency> reported;
        private final Function<TrialEvidence, Histogram> recorded;

        Of(Function<TrialResult, Latency> reported, Function<TrialEvidence, Histogram> recorded) {
            this.reported = reported;
            this.recorded = recorded;
        }
    }

    private static final double DIGITS = 1e-3;
    private static final double COARSE_DIGITS = 1e-2;
    private static final long COARSE_NANOS = 1_000;
    private static final double ROUNDING = 1e-6;

    Prediction {
        Arrays.sort(values);
    }

    static Prediction pooled(TrialEvidence evidence, Of kind) {
        TrialPlan plan = evidence.plan();
        long[] all = IntStream.range(0, plan.shape().instances())
                .mapToObj(instance -> values(plan, instance, kind))
                .flatMapToLong(Arrays::stream)
                .toArray();
        Latency latency = kind.reported.apply(evidence.result());
        return new Prediction(
                all,
                Tolerance.pooled(evidence),
                kind.recorded.apply(evidence),
                percentile -> percentile == 0 ? latency.minNanos() : latency.nanosAt(percentile));
    }

    /**
     * Returns the prediction for the responses of one instance, whose histogram is coarser: p99, p99.9 and maximum. @param instance from 0
     */
    static Prediction of(TrialEvidence evidence, int instance) {
        InstanceFigures figures = evidence.instance(instance);
        return new Prediction(
                values(evidence.plan(), instance, Of.RESPONSE),
                Tolerance.of(evidence, instance),
                null,
                percentile -> figures == null ? null : figures.nanosAt(percentile));
    }

    /** Returns one value for each measured slot, in order. */
    static long[] values(TrialPlan plan, int instance, Of kind) {
        Course course = new Course(plan, instance);
        return IntStream.range(0, course.slots)
                .mapToLong(slot -> course.next(slot, kind))
                .filter(nanos -> nanos >= 0)
                .toArray();
    }

    /** Follows one instance slot by slot. */
    private static final class Course {
        private final int slots;
        private final double interval;
        private final long warmups;
        private final long deadline;
        private final long stopAt;
        private final long stopNanos;
        private final List<PlantedFault> stalls;
        private final List<PlantedFault> delays;
        private final List<PlantedFault> losses;
        private final List<PlantedFault> refusals;
        private long lastArrival;

        Course(TrialPlan plan, int instance) {
            SelftestStudy study = (SelftestStudy) plan.study();
            interval = plan.load().intervalNanos();
            slots = (int) Math.round(plan.phases().measureNanos() / interval);
            warmups = Math.round(plan.phases().warmupNanos() / interval);
            deadline = plan.phases().measureNanos() + plan.phases().drainNanos();
            stopNanos = study.stopNanos();
            stopAt = plan.phases().measureNanos() / 4; // wherever it is, it holds up as many
            stalls = study.of(instance, PlantedFault.Kind.STALL);
            delays = study.of(instance, PlantedFault.Kind.DELAY);
            losses = study.of(instance, PlantedFault.Kind.LOSE);
            refusals = study.of(instance, PlantedFault.Kind.REFUSE);
        }

        /** The value of a slot; -1 when it enters no value. Called for each in turn. */
        long next(int slot, Of kind) {
            long at = (long) (slot * interval);
            if (refusals.stream().anyMatch(each -> at >= each.atNanos())) {
                return kind == Of.SERVICE ? -1 : deadline - at;
            }
            long sent = sent(at);
            if (kind == Of.SEND_DELAY) {
                return sent - at;
            }
            if (losses.stream().anyMatch(each -> (warmups + slot + 1) % each.every() == 0)) {
                return deadline - at;
            }
            long arrival = sent;
            for (PlantedFault stall : stalls) {
                arrival = after(arrival, stall.atNanos(), stall.nanos());
            }
            arrival = Math.max(lastArrival, arrival + FaultyTopic.delayNanos(delays, at));
            lastArrival = arrival;
            return arrival - (kind == Of.SERVICE ? sent : at);
        }

        private long sent(long at) {
            long sent = after(at, stopAt, stopNanos);
            for (PlantedFault stall : stalls) {
                sent = stall.place() == PlantedFault.Place.GENERATOR
                        ? after(sent, stall.atNanos(), stall.nanos())
                        : sent;
            }
            return sent;
        }

        private static long after(long at, long stallAt, long nanos) {
            return at >= stallAt && at < stallAt + nanos ? stallAt + nanos : at;
        }
    }

    int count() {
        return values.length;
    }

    private long countAbove(long limitNanos) {
        return Arrays.stream(values).filter(each -> each > limitNanos).count();
    }

    /** Values above a limit, by the histogram's own buckets. */
    static long countAbove(Histogram recorded, long limitNanos) {
        long next = recorded.nextNonEquivalentValue(limitNanos);
        return recorded.getTotalCount() == 0 || recorded.getMaxValue() < next
                ? 0
                : recorded.getCountBetweenValues(next, recorded.getMaxValue());
    }

    /** The count above a limit, compared with the recorded one. */
    Check above(String what, long limitNanos) {
        long expected = countAbove(limitNanos);
        long found = countAbove(recorded, limitNanos);
        long least = Math.max(0, countAbove(limitNanos + tolerance.shortenedNanos()) - tolerance.missing());
        long late = Math.min(
                expected + tolerance.displaced(),
                countAbove(limitNanos - tolerance.lateNanos() - tolerance.wakeNanos()));
        return Check.count(what, least, expected, Math.max(expected + 1, late), found);
    }

    /** {@return a text for people: {@code p99.9}; the maximum is 100, the minimum 0} */
    static String name(double percentile) {
        return percentile == 0 ? "min" : percentile == 100 ? "max" : ResultTable.name(percentile);
    }

    /** A percentile, compared with the reported one. */
    Check time(double percentile) {
        return time(name(percentile), percentile);
    }

    Check time(String what, double percentile) {
        return Check.time(what, at(percentile), reported.apply(percentile));
    }

    Check.Range at(double percentile) {
        double digits = recorded == null ? COARSE_DIGITS : DIGITS;
        long rounding = recorded == null ? COARSE_NANOS : 0;
        int rank = Math.max(1, (int) Math.ceil(percentile / 100 * values.length - ROUNDING));
        long least = values[Math.max(0, rank - 1 - tolerance.missing())] - tolerance.shortenedNanos();
        long expected = values[rank - 1];
        long displaced = values[Math.min(values.length - 1, rank - 1 + tolerance.displaced())];
        boolean isLast = rank + tolerance.displaced() > values.length; // displaced ones reach that far
        long most = isLast ? expected + tolerance.lateNanos() : Math.min(expected + tolerance.lateNanos(), displaced);
        return new Check.Range(
                (long) (Math.max(0, least) * (1 - digits)),
                expected,
                (long) ((most + tolerance.wakeNanos()) * (1 + digits)) + rounding);
    }

    /**
     * The deviation of a right figure from the closed-form result, as it follows from the mechanism.
     * <ul>
     * <li>Every wake-up on a message's path may take a quarter of a millisecond, which the witness considers usual.
     * <li>The machine may have added the further losses in the witness to any message, but to no more messages than were due in that time.
     * <li>A stall that begins while its thread is delayed anyway delays fewer messages itself.
     * <li>A foreign system may take the longest time of a trial without faults for every message.
     * <li>A slot may be up to an interval later than in the prediction, which shortens intervals up to a fixed moment.
     * </ul>
     * For any machine, no more than {@value #MOST_LATE_NANOS} ns and {@value #MOST_DISPLACED_NANOS} ns' worth of messages are tolerated; a
     * figure beyond that is not excused but measured again. Immutable, thread-safe.
     *
     * @param displaced messages that may stand above their place
     * @param missing messages that a stall may have spared
     * @param wakeNanos that every message may take longer
     * @param lateNanos that the displaced ones may take longer, at most
     * @param shortenedNanos that any message may take less
     */
    record Tolerance(int displaced, int missing, long wakeNanos, long lateNanos, long shortenedNanos) {
        static final long MOST_LATE_NANOS = 10_000_000;
        static final long MOST_DISPLACED_NANOS = 30_000_000;

        private static final int WAKES_ON_ONE_LOOP = 2;
        private static final int WAKES_PER_THREAD = 3;

        /** Returns the tolerance of a histogram that all instances share. */
        static Tolerance pooled(TrialEvidence evidence) {
            long sum = 0;
            long worst = 0;
            for (int i = 0; i < evidence.plan().shape().instances(); i++) {
                sum += Math.min(MOST_DISPLACED_NANOS, evidence.disturbedNanos(i));
                worst = Math.max(worst, evidence.heldUpNanos(i));
            }
            return of(evidence, sum, worst);
        }

        /** Returns the tolerance of one instance. @param instance from 0 */
        static Tolerance of(TrialEvidence evidence, int instance) {
            long disturbed = Math.min(MOST_DISPLACED_NANOS, evidence.disturbedNanos(instance));
            return of(evidence, disturbed, evidence.heldUpNanos(instance));
        }

        private static Tolerance of(TrialEvidence evidence, long disturbedNanos, long heldUpNanos) {
            TrialPlan plan = evidence.plan();
            SelftestStudy study = (SelftestStudy) plan.study();
            double interval = plan.load().intervalNanos();
            boolean hasStalls = study.stopNanos() > 0
                    || study.faults().stream().anyMatch(fault -> fault.kind() == PlantedFault.Kind.STALL);
            boolean isPlaced =
                    hasStalls || study.faults().stream().anyMatch(fault -> fault.kind() != PlantedFault.Kind.DELAY);
            int wakes = plan.loops().isCooperative() ? WAKES_ON_ONE_LOOP : WAKES_PER_THREAD;
            long wakeNanos = wakes * SelftestFindings.NOTABLE_NANOS + evidence.systemNanos();
            long late = Math.min(MOST_LATE_NANOS, heldUpNanos);
            long unsure = evidence.stop().mostNanos() - study.stopNanos(); // of a process that was stopped from outside
            return new Tolerance(
                    1 + (int) Math.ceil((disturbedNanos + Math.max(0, unsure) + evidence.systemNanos()) / interval),
                    1 + (hasStalls ? (int) Math.ceil((late + wakeNanos) / interval) : 0),
                    wakeNanos,
                    late + Math.max(0, unsure),
                    isPlaced ? (long) interval : 0);
        }
    }
}
