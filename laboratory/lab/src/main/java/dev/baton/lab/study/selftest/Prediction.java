package dev.baton.lab.study.selftest;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.study.selftest.Fault.Kind;
import dev.baton.lab.study.selftest.Fault.Place;
import java.util.Arrays;
import java.util.List;

/**
 * The closed-form answer to a plan: for each slot what a machine that loses no time would have to report.
 *
 * <p>Slot s of an instance lies at s times the interval. A message whose slot falls into a stall from t on of length L
 * waits until its end: {@code t + L - s}. One that is held back by d arrives d later, but not before the one before it.
 * One that is lost, or never sent, is charged until the deadline: {@code deadline - s}. Immutable, thread-safe.
 */
final class Prediction {
    /** Which of the three histograms. */
    enum Of {
        RESPONSE,
        SERVICE,
        SEND_DELAY
    }

    private static final double DIGITS = 1e-3;
    private static final double COARSE_DIGITS = 1e-2;
    private static final long COARSE_NANOS = 1_000;
    private static final double ROUNDING = 1e-6;

    private final long[] values; // rising
    private final Tolerance tolerance;

    private Prediction(long[] values, Tolerance tolerance) {
        Arrays.sort(values);
        this.values = values;
        this.tolerance = tolerance;
    }

    /** Of all instances together. */
    static Prediction pooled(Evidence evidence, Of kind) {
        TrialPlan plan = evidence.plan();
        long[] all = {};
        for (int i = 0; i < plan.shape().instances(); i++) {
            long[] more = values(plan, i, kind);
            int before = all.length;
            all = Arrays.copyOf(all, before + more.length);
            System.arraycopy(more, 0, all, before, more.length);
        }
        return new Prediction(all, Tolerance.pooled(evidence));
    }

    /** Of the responses of one instance, whose histogram is coarser. @param instance from 0 */
    static Prediction of(Evidence evidence, int instance) {
        return new Prediction(values(evidence.plan(), instance, Of.RESPONSE), Tolerance.of(evidence, instance));
    }

    /** One value for each measured slot, in their order. */
    static long[] values(TrialPlan plan, int instance, Of kind) {
        SelftestStudy study = (SelftestStudy) plan.study();
        Course course = new Course(plan, study, instance);
        long[] values = new long[course.slots];
        int count = 0;
        for (int slot = 0; slot < course.slots; slot++) {
            long nanos = course.next(slot, kind);
            if (nanos >= 0) {
                values[count++] = nanos;
            }
        }
        return Arrays.copyOf(values, count);
    }

    /** Follows one instance slot by slot. */
    private static final class Course {
        private final int slots;
        private final double interval;
        private final long warmups;
        private final long deadline;
        private final long stopAt;
        private final long stopNanos;
        private final List<Fault> stalls;
        private final List<Fault> delays;
        private final List<Fault> losses;
        private final List<Fault> refusals;
        private long lastArrival;

        Course(TrialPlan plan, SelftestStudy study, int instance) {
            interval = plan.load().intervalNanos();
            slots = (int) Math.round(plan.phases().measureNanos() / interval);
            warmups = Math.round(plan.phases().warmupNanos() / interval);
            deadline = plan.phases().measureNanos() + plan.phases().drainNanos();
            stopNanos = study.stopNanos();
            stopAt = plan.phases().measureNanos() / 4; // wherever it is, it holds up as many
            stalls = study.of(instance, Kind.STALL);
            delays = study.of(instance, Kind.DELAY);
            losses = study.of(instance, Kind.LOSE);
            refusals = study.of(instance, Kind.REFUSE);
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
            for (Fault stall : stalls) {
                arrival = after(arrival, stall.atNanos(), stall.nanos());
            }
            arrival = Math.max(lastArrival, arrival + FaultyTopic.delayNanos(delays, at));
            lastArrival = arrival;
            return arrival - (kind == Of.SERVICE ? sent : at);
        }

        private long sent(long at) {
            long sent = after(at, stopAt, stopNanos);
            for (Fault stall : stalls) {
                sent = stall.place() == Place.GENERATOR ? after(sent, stall.atNanos(), stall.nanos()) : sent;
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

    /** Messages that take longer than a limit. */
    int countAbove(long limitNanos) {
        int count = 0;
        for (long each : values) {
            count += each > limitNanos ? 1 : 0;
        }
        return count;
    }

    /** The count above a limit, compared with a reported one. */
    Check above(String what, long limitNanos, long reported) {
        int expected = countAbove(limitNanos);
        long least = Math.max(0, countAbove(limitNanos + tolerance.shortenedNanos()) - tolerance.missing());
        long late = Math.min(
                expected + tolerance.displaced(),
                countAbove(limitNanos - tolerance.lateNanos() - tolerance.wakeNanos()));
        return Check.count(what, least, expected, Math.max(expected + 1, late), reported);
    }

    /** Where a percentile of a whole histogram may lie. */
    Check.Range at(double percentile) {
        return range(percentile, DIGITS, 0);
    }

    /** Where a percentile of an instance's own histogram may lie. */
    Check.Range coarseAt(double percentile) {
        return range(percentile, COARSE_DIGITS, COARSE_NANOS);
    }

    private Check.Range range(double percentile, double digits, long rounding) {
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
}
