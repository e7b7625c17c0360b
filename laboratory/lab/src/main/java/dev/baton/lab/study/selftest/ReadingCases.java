package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.SelftestPlans.ARRIVALS_STALL;
import static dev.baton.lab.study.selftest.SelftestPlans.BURST;
import static dev.baton.lab.study.selftest.SelftestPlans.IN_BURSTS;
import static dev.baton.lab.study.selftest.SelftestPlans.POISSON;
import static dev.baton.lab.study.selftest.SelftestPlans.STALL_LIMIT;

import dev.baton.lab.request.SelftestCase;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The cases about what is asked for and how it is read: arrivals. Stateless, thread-safe. */
final class ReadingCases {
    /** A chance figure lies that many standard deviations from what is expected, at most. */
    private static final double SIGMAS = 5;

    /** Part of the interval below which the transport counts a message as sent too close to the one before. */
    private static final double CLOSE = 0.25;

    private ReadingCases() {}

    static List<Case> all() {
        return List.of(new Case(
                SelftestCase.ARRIVALS,
                List.of(IN_BURSTS, POISSON),
                BURST + " at once; Poisson",
                (all, laboratory) -> arrivals(all)));
    }

    /**
     * Of each burst all messages but the first are sent right behind the one before; of a Poisson process those whose gap,
     * exponentially distributed, is below a quarter of the interval. A stall holds up whole bursts, or the messages that
     * are due in it.
     */
    private static List<Check> arrivals(Map<String, Evidence> all) {
        Evidence bursts = all.get(IN_BURSTS);
        Evidence poisson = all.get(POISSON);
        double messages = messages(bursts, bursts.plan().phases().measureNanos());
        double close = 1 - Math.exp(-CLOSE);
        double deviation = Math.sqrt(messages * close * (1 - close));
        double late = messages(bursts, ARRIVALS_STALL - STALL_LIMIT);
        return List.of(
                near(bursts, "close in bursts", messages * (BURST - 1) / BURST, BURST, bunched(bursts)),
                near(poisson, "close in Poisson", messages * close, SIGMAS * deviation, bunched(poisson)),
                near(bursts, "bursts over 50 ms", late, BURST, above(bursts)),
                near(poisson, "Poisson over 50 ms", late, SIGMAS * Math.sqrt(late), above(poisson)),
                near(bursts, "slots in bursts", messages, BURST, recorded(bursts)),
                near(poisson, "slots in Poisson", messages, SIGMAS * Math.sqrt(messages), recorded(poisson)));
    }

    private static double messages(Evidence evidence, long nanos) {
        return nanos / evidence.plan().load().intervalNanos();
    }

    private static long bunched(Evidence evidence) {
        return evidence.witness().bunched();
    }

    private static long recorded(Evidence evidence) {
        return evidence.response().getTotalCount();
    }

    private static long above(Evidence evidence) {
        Histogram response = evidence.response();
        long next = response.nextNonEquivalentValue(STALL_LIMIT);
        return recorded(evidence) == 0 || response.getMaxValue() < next
                ? 0
                : response.getCountBetweenValues(next, response.getMaxValue());
    }

    /** A count that chance and what the machine did can change. */
    private static Check near(Evidence evidence, String what, double expected, double chance, long reported) {
        Tolerance tolerance = Tolerance.of(evidence, 0);
        double off = chance + tolerance.displaced() + tolerance.missing();
        return Check.count(
                what,
                (long) Math.max(0, Math.floor(expected - off)),
                Math.round(expected),
                (long) Math.ceil(expected + off),
                reported);
    }
}
