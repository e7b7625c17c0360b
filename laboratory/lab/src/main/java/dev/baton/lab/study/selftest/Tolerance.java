package dev.baton.lab.study.selftest;

import dev.baton.lab.request.TrialPlan;

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
    static Tolerance pooled(Evidence evidence) {
        long sum = 0;
        long worst = 0;
        for (int i = 0; i < evidence.plan().shape().instances(); i++) {
            sum += Math.min(MOST_DISPLACED_NANOS, evidence.disturbedNanos(i));
            worst = Math.max(worst, evidence.heldUpNanos(i));
        }
        return of(evidence, sum, worst);
    }

    /** Returns the tolerance of one instance. @param instance from 0 */
    static Tolerance of(Evidence evidence, int instance) {
        long disturbed = Math.min(MOST_DISPLACED_NANOS, evidence.disturbedNanos(instance));
        return of(evidence, disturbed, evidence.heldUpNanos(instance));
    }

    private static Tolerance of(Evidence evidence, long disturbedNanos, long heldUpNanos) {
        TrialPlan plan = evidence.plan();
        SelftestStudy study = (SelftestStudy) plan.study();
        double interval = plan.load().intervalNanos();
        boolean hasStalls =
                study.stopNanos() > 0 || study.faults().stream().anyMatch(fault -> fault.kind() == Fault.Kind.STALL);
        boolean isPlaced = hasStalls || study.faults().stream().anyMatch(fault -> fault.kind() != Fault.Kind.DELAY);
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
