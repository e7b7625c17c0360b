package dev.baton.lab.trial;

import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Rate;
import dev.baton.measuring.DeliveryAccount;
import dev.baton.measuring.LatencyHistograms;
import java.util.ArrayList;
import java.util.List;

/**
 * Settles every instance after all threads have ended: charges what never arrived, and adds up. Confined to the trial's
 * thread.
 */
final class TrialAccounting {
    private static final int MOST_INCIDENTS = 50;
    private static final int MOST_INSTANCES = 20;

    private final Window window;
    private final List<InstanceFigures> instances = new ArrayList<>();
    private final List<Incident> incidents = new ArrayList<>();
    private long sent;
    private long delivered;
    private long lost;
    private long duplicated;
    private long reordered;
    private long corrupted;
    private long unsent;
    private long asked;
    private long achieved;
    private double worstShare = Double.MAX_VALUE;
    private int worstInstance;

    /** @param charged takes the responses of what never arrived */
    TrialAccounting(Instances fleet, Window window, LatencyHistograms charged) {
        this.window = window;
        fleet.instances().forEach(instance -> settle(instance, charged));
        instances.sort(InstanceFigures.WORST_FIRST);
    }

    private void settle(Instance instance, LatencyHistograms charged) {
        Generator generator = instance.generator();
        Receiver receiver = instance.receiver();
        DeliveryAccount account = receiver.account();
        long sentHere = generator.sentCount();
        long unsentHere = generator.settle(charged, instance.responses());
        long missing = receiver.settle(sentHere, generator.firstMeasured(), charged);
        long lostHere = account.lostCount(sentHere);
        sent += sentHere;
        delivered += account.deliveredCount();
        lost += lostHere;
        duplicated += account.duplicatedCount();
        reordered += account.reorderedCount();
        corrupted += account.corruptedCount();
        unsent += unsentHere;
        int room = MOST_INCIDENTS - incidents.size();
        incidents.addAll(receiver.incidents().stream().limit(Math.max(0, room)).toList());
        long measured = Math.max(0, sentHere - generator.firstMeasured());
        enterRate(instance.index() + 1, measured + unsentHere, Math.max(0, generator.inTimeCount() - missing));
        long faults = lostHere + account.duplicatedCount() + account.reorderedCount() + account.corruptedCount();
        instances.add(InstanceFigures.of(instance.index() + 1, instance.responses(), sentHere, faults));
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

    FinalCounts settlement() {
        return new FinalCounts(delivery(), rate(), worstInstances());
    }

    Delivery delivery() {
        return new Delivery(sent, delivered, lost, duplicated, reordered, corrupted, unsent, incidents);
    }

    Rate rate() {
        double seconds = window.measuredNanos() / 1e9;
        return new Rate(
                seconds == 0 ? 0 : asked / seconds,
                seconds == 0 ? 0 : achieved / seconds,
                asked == 0 ? 1 : achieved / (double) asked,
                worstShare,
                worstInstance);
    }

    /** The worst ones, worst first. */
    List<InstanceFigures> worstInstances() {
        return instances.subList(0, Math.min(MOST_INSTANCES, instances.size()));
    }
}
