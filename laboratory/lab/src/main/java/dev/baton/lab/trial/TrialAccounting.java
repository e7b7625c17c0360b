package dev.baton.lab.trial;

import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Rate;
import dev.baton.lab.trial.ends.Generator;
import dev.baton.lab.trial.ends.Instance;
import dev.baton.lab.trial.ends.Receiver;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.LatencyHistograms;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;

/**
 * Settles every instance after all threads have ended: charges what never arrived, and adds up. Confined to the trial's
 * thread.
 */
final class TrialAccounting {
    private static final int MOST_INSTANCES = 20;

    private final Window window;
    private final IntPredicate isDrained;
    private final List<InstanceFigures> instances = new ArrayList<>();
    private final List<Delivery> deliveries = new ArrayList<>();
    private long asked;
    private long achieved;
    private double worstShare = Double.MAX_VALUE;
    private int worstInstance;

    private TrialAccounting(Window window, IntPredicate isDrained) {
        this.window = window;
        this.isDrained = isDrained;
    }

    /**
     * Settles all.
     *
     * @param isDrained whether an instance, from 0, passed on all that it had before it was stopped: only then is lost
     *     what has not arrived
     * @param charged takes the responses of what never arrived
     */
    static FinalCounts settle(List<Instance> all, Window window, IntPredicate isDrained, LatencyHistograms charged) {
        TrialAccounting accounting = new TrialAccounting(window, isDrained);
        all.forEach(instance -> accounting.settle(instance, charged));
        return accounting.finalCounts();
    }

    private void settle(Instance instance, LatencyHistograms charged) {
        Generator generator = instance.generator();
        List<Receiver> receivers = instance.receivers();
        long sentHere = generator.sentCount();
        long unsentHere = generator.settle(charged, instance::responses);
        long firstMeasured = generator.firstMeasured();
        receivers.forEach(receiver -> receiver.passAll(sentHere));
        long missingEver = sum(receivers, receiver -> receiver.missingCount(sentHere));
        boolean isDrainedHere = missingEver > 0 && isDrained.test(instance.index());
        long inTimeEnd = firstMeasured + generator.inTimeCount();
        long missing =
                sum(receivers, receiver -> receiver.settle(sentHere, firstMeasured, inTimeEnd, isDrainedHere, charged));
        long lostHere = isDrainedHere ? missingEver : 0;
        long late = sum(receivers, Receiver::lateCount);
        long filtered = sum(receivers, Receiver::filteredCount);
        Delivery delivery = new Delivery(
                sentHere,
                sum(receivers, receiver -> receiver.account.deliveredCount()) - late - filtered,
                lostHere,
                missingEver - lostHere + late,
                sum(receivers, receiver -> receiver.account.duplicatedCount()),
                sum(receivers, receiver -> receiver.account.reorderedCount()),
                sum(receivers, receiver -> receiver.account.corruptedCount()),
                unsentHere,
                receivers.stream()
                        .flatMap(receiver -> receiver.incidents().stream())
                        .toList(),
                filtered);
        deliveries.add(delivery);
        long measured = Math.max(0, sentHere - firstMeasured);
        if (generator.isSaturating()) { // what is in flight when the window begins and ends is part of no rate
            long passed = sum(receivers, Receiver::withinWindowCount);
            enterRate(instance.index() + 1, passed, passed);
        } else {
            enterRate(instance.index() + 1, measured + unsentHere, Math.max(0, generator.inTimeCount() - missing));
        }
        long faults = lostHere + delivery.duplicated() + delivery.reordered() + delivery.corrupted();
        instances.add(InstanceFigures.of(instance.index() + 1, instance.responses(), sentHere, faults));
    }

    private static long sum(List<Receiver> receivers, ToLongFunction<Receiver> figure) {
        return receivers.stream().mapToLong(figure).sum();
    }

    private void enterRate(int instance, long askedHere, long achievedHere) {
        asked += askedHere;
        achieved += achievedHere;
        double share = askedHere == 0 ? 1 : achievedHere / (double) askedHere;
        if (share < worstShare) {
            worstShare = share;
            worstInstance = instance;
        }
    }

    /** Returns the final counts with the worst instances, the worst first. */
    private FinalCounts finalCounts() {
        double seconds = window.measuredNanos() / 1e9;
        instances.sort(InstanceFigures.WORST_FIRST);
        return new FinalCounts(
                Delivery.sum(deliveries, deliveries.stream().flatMap(each -> each.incidents().stream())),
                new Rate(
                        seconds == 0 ? 0 : asked / seconds,
                        seconds == 0 ? 0 : achieved / seconds,
                        asked == 0 ? 1 : achieved / (double) asked,
                        worstShare,
                        worstInstance),
                instances.subList(0, Math.min(MOST_INSTANCES, instances.size())));
    }
}
