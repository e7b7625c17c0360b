package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.SelftestPlans.FAULTS;
import static dev.baton.lab.study.selftest.SelftestPlans.FROM_SEND;
import static dev.baton.lab.study.selftest.SelftestPlans.FROM_SLOT;
import static dev.baton.lab.study.selftest.SelftestPlans.PLAIN;
import static dev.baton.lab.study.selftest.SelftestPlans.RECEIVER_STALLED;
import static dev.baton.lab.study.selftest.SelftestPlans.STOPPED;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.results.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * One case: what is done to the laboratory, and which of its figures have to be what. Immutable, thread-safe.
 *
 * @param trials that it needs, by their ids; empty when it needs none
 * @param injected in a few words
 * @param question the figures, the most telling one first
 */
record Case(
        SelftestCase name,
        List<String> trials,
        String injected,
        BiFunction<Map<String, TrialEvidence>, TestedLaboratory, List<Check>> question) {
    static Case of(SelftestCase name, String trial, String injected, Function<TrialEvidence, List<Check>> question) {
        return new Case(name, List.of(trial), injected, (all, laboratory) -> question.apply(all.get(trial)));
    }

    static Case of(SelftestCase name) {
        return Stream.of(LatencyCases.all(), ReadingCases.all(), DeliveryCases.all(), ProcessCases.all())
                .flatMap(List::stream)
                .filter(each -> each.name() == name)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no case answers to " + name));
    }

    /**
     * Returns the cases that a system of a user can be tested with: its messages are lost, doubled, swapped, altered and refused, and its
     * threads are stalled, at the interface between it and the laboratory. In a trial without faults its own counts have to be zero; the
     * longest response of that trial is the tolerance of every time.
     */
    static List<Case> ofSystems() {
        return List.of(
                new Case(
                        SelftestCase.READINGS,
                        List.of(PLAIN, FROM_SLOT, FROM_SEND),
                        "200 ms in 2 s",
                        (all, laboratory) -> ReadingCases.readings(beside(all), laboratory)),
                ofSystem(SelftestCase.LATE_GENERATOR, FROM_SLOT, "200 ms in 2 s", ReadingCases::lateGenerator),
                ofSystem(
                        SelftestCase.RECEIVER_STALL,
                        RECEIVER_STALLED,
                        "130 ms in 2 s",
                        evidence -> LatencyCases.stall(evidence, 0, Prediction.Of.SERVICE)),
                counted(SelftestCase.LOSSES, 0, SelftestPlans.LOSE_EVERY, "lost", Delivery::lost),
                counted(SelftestCase.DUPLICATES, 1, SelftestPlans.DUPLICATE_EVERY, "duplicated", Delivery::duplicated),
                counted(SelftestCase.REORDERINGS, 2, SelftestPlans.REORDER_EVERY, "reordered", Delivery::reordered),
                counted(SelftestCase.CORRUPTION, 3, SelftestPlans.CORRUPT_EVERY, "corrupted", Delivery::corrupted),
                ofSystem(SelftestCase.UNSENT, FAULTS, "no room for 200 ms", DeliveryCases::unsent),
                ofSystem(SelftestCase.UNDELIVERED, FAULTS, "lost and unsent", DeliveryCases::undelivered),
                ofSystem(SelftestCase.CLAMP, FAULTS, "lost for 2.4 s", DeliveryCases::clamp),
                ofSystem(SelftestCase.STOPPED_PROCESS, STOPPED, "SIGSTOP for 300 ms", ProcessCases::stopped),
                ofSystem(SelftestCase.HOST_STALL, STOPPED, "SIGSTOP for 300 ms", ProcessCases::excused));
    }

    private static Case ofSystem(
            SelftestCase name, String trial, String injected, Function<TrialEvidence, List<Check>> question) {
        BiFunction<Map<String, TrialEvidence>, TestedLaboratory, List<Check>> checks =
                (all, laboratory) -> question.apply(beside(all).get(trial));
        return new Case(name, List.of(PLAIN, trial), injected, checks);
    }

    private static Case counted(
            SelftestCase name, int instance, int every, String word, ToLongFunction<Delivery> reported) {
        BiFunction<Map<String, TrialEvidence>, TestedLaboratory, List<Check>> checks = (all, laboratory) -> {
            Check own = Check.ownFaults(
                    word + " without faults",
                    reported.applyAsLong(all.get(PLAIN).result().delivery()));
            List<Check> found =
                    new ArrayList<>(DeliveryCases.counted(all.get(FAULTS), instance, every, word, reported));
            found.add(own);
            return own.holds() ? found : List.of(own); // planted faults and its own would add up
        };
        return new Case(name, List.of(PLAIN, FAULTS), "each " + every + "th message", checks);
    }

    private static Map<String, TrialEvidence> beside(Map<String, TrialEvidence> all) {
        Map<String, TrialEvidence> tolerant = new TreeMap<>(all);
        tolerant.replaceAll((id, each) -> each.beside(all.get(PLAIN)));
        return tolerant;
    }
}
