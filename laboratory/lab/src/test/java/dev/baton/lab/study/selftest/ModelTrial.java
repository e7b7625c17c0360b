package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.PlantedFault.Kind.CORRUPT;
import static dev.baton.lab.study.selftest.PlantedFault.Kind.DELAY;
import static dev.baton.lab.study.selftest.PlantedFault.Kind.DUPLICATE;
import static dev.baton.lab.study.selftest.PlantedFault.Kind.LOSE;
import static dev.baton.lab.study.selftest.PlantedFault.Kind.REFUSE;
import static dev.baton.lab.study.selftest.PlantedFault.Kind.REORDER;
import static dev.baton.lab.study.selftest.PlantedFault.Kind.STALL;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Incident;
import dev.baton.measuring.DeliveryAccount;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * One trial in virtual time. Moments count from the first measured slot. Written without a look at {@link Prediction}:
 * it moves messages from thread to thread instead of solving anything.
 */
final class ModelTrial {
    private static final long MILLI = 1_000_000;
    private static final long TICK = 10 * MILLI;
    private static final long CLAMP = 1_000 * MILLI;
    private static final long OUTLIER = 50 * MILLI;
    private static final long HIGHEST = 3_600_000 * MILLI;
    private static final long STOP_AT = 400 * MILLI;

    final TrialPlan plan;
    final Flaw flaw;
    final long pid;
    final LatencyHistograms all = LatencyHistograms.upTo(HIGHEST);
    final List<InstanceHistogram> instances = new ArrayList<>();
    final List<Histogram> exact = new ArrayList<>(); // of each instance
    final List<Long> sentBy = new ArrayList<>();
    final List<Long> faultsOf = new ArrayList<>();
    final List<Incident> incidents = new ArrayList<>();
    final long deadline;
    final long end;
    long sent;
    long delivered;
    long lost;
    long undrained;
    long duplicated;
    long reordered;
    long corrupted;
    long unsent;
    long inTime;
    long due;
    double worstShare = 1;
    int worstInstance = 1;
    long bunched;
    private final SelftestStudy study;
    private final double interval;
    private final Random random = new Random(5);
    private int instance;
    private long recorded;
    private long lateHere;

    ModelTrial(TrialPlan plan, Flaw flaw, long pid) {
        this.plan = plan;
        this.flaw = flaw;
        this.pid = pid;
        study = (SelftestStudy) plan.study();
        interval = plan.load().intervalNanos();
        end = plan.phases().measureNanos();
        deadline = end + plan.phases().drainNanos();
        for (instance = 0; instance < plan.shape().instances(); instance++) {
            runInstance();
        }
    }

    TrialEvidence evidence() {
        return new ModelResult(this).evidence();
    }

    private long every(PlantedFault.Kind kind) {
        return study.of(instance, kind).stream()
                .mapToLong(PlantedFault::every)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    private void runInstance() {
        instances.add(new InstanceHistogram(HIGHEST));
        exact.add(new Histogram(3));
        DeliveryAccount account = new DeliveryAccount();
        lateHere = 0;
        long refusedFrom = study.of(instance, REFUSE).stream()
                .mapToLong(PlantedFault::atNanos)
                .min()
                .orElse(Long.MAX_VALUE);
        List<Long> held = new ArrayList<>(); // a number that the next one overtakes
        long number = 0;
        long received = Long.MIN_VALUE;
        long lastSend = Long.MIN_VALUE / 2;
        long dueHere = 0;
        long inTimeHere = 0;
        double slot = -plan.phases().warmupNanos();
        for (long turn = 0; slot < end; slot += gap(++turn)) {
            long at = (long) slot;
            boolean isMeasured = at >= 0;
            dueHere += isMeasured ? 1 : 0;
            long send = stopped(generator(at));
            if (send >= refusedFrom) {
                unsent(at);
                continue;
            }
            if (flaw == Flaw.MOVED_SEND_TIMES && send > at) {
                slot = send; // and all that follow begin anew
                at = send;
            }
            if (send - lastSend < interval / 4 && isMeasured) {
                bunched++;
            }
            lastSend = send;
            sent++;
            inTimeHere += isMeasured ? 1 : 0;
            if (isMeasured) {
                all.recordSendDelay(
                        flaw == Flaw.OUTLIERS_REMOVED_OF_GENERATOR ? Math.min(OUTLIER, send - at) : send - at);
            }
            received = receive(at, send, received);
            arrive(account, held, number++, at, send, received, isMeasured);
        }
        due += dueHere;
        close(account, number, dueHere, inTimeHere);
    }

    private double gap(long turn) {
        Load.Arrivals arrivals =
                flaw == Flaw.SMOOTHED ? Load.Arrivals.EVEN : plan.load().arrivals();
        return switch (arrivals) {
            case EVEN, SATURATED, REPLAYED, NONE -> interval;
            case POISSON -> -Math.log(1 - random.nextDouble()) * interval;
            case BURSTS -> turn % plan.load().burst() == 0 ? plan.load().burst() * interval : 0;
        };
    }

    private long generator(long at) {
        long send = at;
        for (PlantedFault stall : study.of(instance, STALL)) {
            if (stall.place() == PlantedFault.Place.GENERATOR) {
                send = outOf(stall, send);
            }
        }
        return flaw == Flaw.BURSTS ? Math.floorDiv(send + TICK - 1, TICK) * TICK : send;
    }

    private long stopped(long at) {
        boolean isStopped = study.stopNanos() > 0 && at >= STOP_AT && at < STOP_AT + study.stopNanos();
        return isStopped && flaw != Flaw.PROCESS_CLOCK ? STOP_AT + study.stopNanos() : at;
    }

    private static long outOf(PlantedFault stall, long at) {
        long until = stall.atNanos() + stall.nanos();
        return at >= stall.atNanos() && at < until ? until : at;
    }

    private long receive(long at, long send, long before) {
        long now = send;
        for (PlantedFault stall : study.of(instance, STALL)) {
            if (stall.place() != PlantedFault.Place.GENERATOR) {
                now = outOf(stall, now);
            }
        }
        long delay = 0;
        for (PlantedFault each : study.of(instance, DELAY)) {
            delay = at >= each.atNanos() || each.atNanos() == 0 ? each.nanos() : delay;
        }
        return Math.max(before, now + delay);
    }

    private void arrive(
            DeliveryAccount account, List<Long> held, long number, long at, long send, long now, boolean isMeasured) {
        long count = number + 1;
        if (count % every(LOSE) == 0) {
            lost(at, isMeasured);
            return;
        }
        if (now >= deadline) {
            lateHere++;
            lost(at, isMeasured);
            return;
        }
        record(at, send, now, isMeasured);
        if (count % every(CORRUPT) == 0 && flaw != Flaw.PAYLOAD_UNSEEN) {
            account.corrupted();
            note(number, Incident.Kind.CORRUPTED);
        }
        if (count % every(REORDER) == 0 && flaw != Flaw.ORDER_UNSEEN) {
            held.add(number);
            return;
        }
        account.arrived(number);
        if (count % every(DUPLICATE) == 0 && flaw != Flaw.COPIES_COUNTED) {
            account.arrived(number);
            note(number, Incident.Kind.DUPLICATED);
        }
        if (!held.isEmpty()) {
            note(held.get(0), Incident.Kind.REORDERED);
            account.arrived(held.remove(0));
        }
    }

    private void record(long at, long send, long now, boolean isMeasured) {
        if (!isMeasured) {
            return;
        }
        long response = flaw == Flaw.SENT_LATE_TIMED_LATE ? 0 : now - at;
        long service = flaw == Flaw.SERVICE_FROM_SLOT ? response : now - send;
        if (flaw == Flaw.MILLISECONDS) {
            response = response / MILLI * MILLI;
            if (response == 0) {
                return;
            }
        }
        if (flaw == Flaw.OUTLIERS_REMOVED_OF_SERVICE && instance == 1
                || flaw == Flaw.OUTLIERS_REMOVED_OF_RECEIVER && instance == 2
                || flaw == Flaw.OUTLIERS_REMOVED_OF_GENERATOR && instance == 0) {
            response = Math.min(OUTLIER, response);
            service = Math.min(OUTLIER, service);
        }
        if (flaw == Flaw.EVERY_OTHER_SAMPLE && response > OUTLIER && recorded++ % 2 == 0) {
            return;
        }
        all.recordArrival(response, service);
        boolean isFromSend = plan.load().isReadFromSend() || flaw == Flaw.JUDGED_FROM_SEND;
        instances.get(instance).record(isFromSend ? service : response);
        exact.get(instance).recordValue(response);
    }

    private void lost(long at, boolean isMeasured) {
        if (isMeasured && flaw != Flaw.UNDELIVERED_OMITTED) {
            charge(deadline - at, true);
        }
    }

    private void unsent(long at) {
        if (flaw != Flaw.UNSENT_FORGOTTEN) {
            unsent++;
        }
        if (flaw != Flaw.UNDELIVERED_OMITTED && flaw != Flaw.UNSENT_FORGOTTEN) {
            charge(deadline - at, false);
            all.recordSendDelay(deadline - at);
        }
    }

    private void charge(long nanos, boolean wasSent) {
        long value = flaw == Flaw.CLAMPED ? Math.min(CLAMP, nanos) : nanos;
        if (wasSent) {
            all.recordArrival(value, value);
        } else {
            all.recordResponse(value);
        }
        instances.get(instance).record(value);
        exact.get(instance).recordValue(value);
    }

    private void note(long number, Incident.Kind kind) {
        if (incidents.stream().noneMatch(each -> each.instance() == instance + 1)) {
            incidents.add(new Incident(instance + 1, number + 1, kind, "told"));
        }
    }

    private void close(DeliveryAccount account, long number, long dueHere, long inTimeHere) {
        long lostHere =
                flaw == Flaw.LOSS_UNSEEN ? 0 : account.lostCount(number) - (flaw == Flaw.IN_FLIGHT_LOST ? 0 : lateHere);
        undrained += flaw == Flaw.IN_FLIGHT_LOST ? 0 : lateHere;
        if (lostHere > 0) {
            account.forEachLost(number, (from, to) -> note(from, Incident.Kind.LOST));
        }
        delivered += account.deliveredCount();
        lost += lostHere;
        duplicated += account.duplicatedCount();
        reordered += account.reorderedCount();
        corrupted += account.corruptedCount();
        inTime += inTimeHere;
        double share = inTimeHere / (double) dueHere;
        if (share < worstShare) {
            worstShare = share;
            worstInstance = instance + 1;
        }
        sentBy.add(number);
        faultsOf.add(lostHere + account.duplicatedCount() + account.reorderedCount() + account.corruptedCount());
    }
}
