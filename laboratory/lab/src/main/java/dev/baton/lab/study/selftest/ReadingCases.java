package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.Prediction.Of.RESPONSE;
import static dev.baton.lab.study.selftest.SelftestPlans.ARRIVALS_STALL;
import static dev.baton.lab.study.selftest.SelftestPlans.BURST;
import static dev.baton.lab.study.selftest.SelftestPlans.FROM_SEND;
import static dev.baton.lab.study.selftest.SelftestPlans.FROM_SLOT;
import static dev.baton.lab.study.selftest.SelftestPlans.IN_BURSTS;
import static dev.baton.lab.study.selftest.SelftestPlans.MILLI;
import static dev.baton.lab.study.selftest.SelftestPlans.POISSON;
import static dev.baton.lab.study.selftest.SelftestPlans.STALL_LIMIT;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.density.ChainCost;
import dev.baton.measuring.data.Tail;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The cases about what is asked for and how it is read: arrivals, slot against send, cost, key order, pooled trials.
 * Stateless, thread-safe.
 */
final class ReadingCases {
    /** A chance figure lies that many standard deviations from what is expected, at most. */
    private static final double SIGMAS = 5;

    /** Part of the interval below which the transport counts a message as sent too close to the one before. */
    private static final double CLOSE = 0.25;

    private ReadingCases() {}

    static List<Case> all() {
        return List.of(
                new Case(
                        SelftestCase.ARRIVALS, List.of(IN_BURSTS, POISSON), BURST + " at once", ReadingCases::arrivals),
                new Case(SelftestCase.READINGS, List.of(FROM_SLOT, FROM_SEND), "200 ms in 2 s", ReadingCases::readings),
                Case.of(SelftestCase.LATE_GENERATOR, FROM_SLOT, "200 ms in 2 s", ReadingCases::lateGenerator),
                new Case(SelftestCase.COST, List.of(), "500 on 7 cores", ReadingCases::cost),
                new Case(SelftestCase.KEY_ORDER, List.of(), "10,000 events", ReadingCases::keyOrder),
                new Case(SelftestCase.POOLING, List.of(), "0, 100, 200 late", ReadingCases::pooling),
                new Case(SelftestCase.DECIMAL_COMMA, List.of(), "18,087 ms", ReadingCases::pauses));
    }

    /**
     * Checks a pause as HotSpot logs it under en_US, de_DE and fa_IR, and one whose time cannot be read and that must not be
     * omitted.
     */
    private static List<Check> pauses(Map<String, TrialEvidence> none, TestedLaboratory laboratory) {
        String pause = "[2000000ns] GC(6) Pause Young (Normal) (G1 Evacuation Pause) 165M->16M(256M) ";
        List<Long> point = laboratory.pauses(List.of(pause + "18.087ms"));
        List<Long> comma = laboratory.pauses(List.of(pause + "18,087ms"));
        List<Long> others = laboratory.pauses(List.of(pause + "18\u066b087ms"));
        return List.of(
                Check.count("us after a comma", 18_087, micros(comma)),
                Check.count("us after a point", 18_087, micros(point)),
                Check.count("us after another sign", 18_087, micros(others)),
                unreadable(laboratory, pause + "18ms"));
    }

    private static long micros(List<Long> pauses) {
        return pauses.stream().mapToLong(Long::longValue).sum() / SelftestPlans.MICRO;
    }

    private static Check unreadable(TestedLaboratory laboratory, String line) {
        String reported;
        try {
            reported = laboratory.pauses(List.of(line)).size() + " pauses";
        } catch (IllegalArgumentException refused) {
            reported = refused.getMessage().contains(line) ? "refused" : refused.getMessage();
        }
        return new Check("a pause without decimals", "refused", reported, reported.equals("refused"));
    }

    /**
     * Trials of 6,000 steps, of which 0, 100 and 200 are over the limit of the p99: the first alone has too few above it for a verdict; of
     * the first two 0.8 % are over it, and of all three 1.7 %. The average of their p99 would exceed it twice.
     */
    private static List<Check> pooling(Map<String, TrialEvidence> none, TestedLaboratory laboratory) {
        Limit limit = new Limit(99, 10 * MILLI);
        List<Histogram> trials =
                IntStream.of(0, 100, 200).mapToObj(ReadingCases::steps).toList();
        List<Verdict> verdicts = laboratory.searched(limit, trials);
        return List.of(
                verdict("two trials", "PASS", verdicts.get(1)),
                verdict("one", "none yet", verdicts.get(0)),
                verdict("three", "FAIL", verdicts.get(2)));
    }

    private static Histogram steps(int late) {
        Histogram steps = new Histogram(3);
        steps.recordValueWithCount(MILLI, 6_000 - late);
        if (late > 0) {
            steps.recordValueWithCount(50 * MILLI, late);
        }
        return steps;
    }

    /**
     * The generator sleeps for a tenth of the window: a tenth of the messages wait for it, so that their percentiles are marked and the
     * others are not, and the time of the slowest is attributed to the sleep.
     */
    static List<Check> lateGenerator(TrialEvidence evidence) {
        Tail tail = evidence.result().explanation() == null
                ? null
                : evidence.result().explanation().tail();
        double asleep = tail == null
                ? 0
                : tail.shares().stream()
                        .filter(share -> share.cause() == Tail.Cause.GENERATOR_PARKED)
                        .mapToDouble(Tail.Share::part)
                        .sum();
        String found = String.format(Locale.ROOT, "%.0f %% sender asleep", 100 * asleep);
        return List.of(
                mark(evidence, 99, true),
                mark(evidence, 50, false),
                new Check("slowest", "90 % or more sender asleep", found, asleep >= 0.9));
    }

    private static Check mark(TrialEvidence evidence, double percentile, boolean isLate) {
        boolean isMarked = evidence.result().response().at(percentile).isSenderLate();
        return new Check(Prediction.name(percentile), word(isLate), word(isMarked), isMarked == isLate);
    }

    private static String word(boolean isLate) {
        return isLate ? "sender late" : "not marked";
    }

    private static Check verdict(String what, String expected, Verdict verdict) {
        String reported = verdict == null ? "none yet" : verdict.toString();
        return new Check(what, expected, reported, reported.equals(expected));
    }

    /** Checks the number of distinct keys of a step: keys in order are as many as its events, or all; drawn ones would be 9,539 of 105,000. */
    private static List<Check> keyOrder(Map<String, TrialEvidence> none, TestedLaboratory laboratory) {
        return List.of(
                Check.count("of 105,000 keys", 10_000, laboratory.distinctKeys(105_000, 10_000)),
                Check.count("of 10,000 keys", 10_000, laboratory.distinctKeys(10_000, 10_000)),
                Check.count("of 5,000 keys", 5_000, laboratory.distinctKeys(5_000, 10_000)));
    }

    /** The published pair: 500 chains and one, on seven cores that are paid for whether they work or not. */
    private static List<Check> cost(Map<String, TrialEvidence> none, TestedLaboratory laboratory) {
        ChainCost many = laboratory.cost(500, 7, 6.9);
        ChainCost one = laboratory.cost(1, 7, 2.1);
        return List.of(
                milli("per core, in 1/1000", 142.857, one.chainsPerCore()),
                milli("per core of 500, in 1/1000", 71_428.571, many.chainsPerCore()),
                milli("normalised, in 1/1000", 2, many.normalised()),
                milli("relative cost, in 1/1000", 2, many.relativeTo(one)),
                milli("1,000 chains at 0.04, in 1/1000", 560, many.perHour(1_000, 0.04)));
    }

    private static Check milli(String what, double expected, double reported) {
        return Check.count(what, Math.round(expected), Math.round(1_000 * reported));
    }

    /**
     * A stall of the generator delays what was due meanwhile: from the slot by its length, from the send not at all. Both results contain
     * both readings, and each verdict uses its own.
     */
    static List<Check> readings(Map<String, TrialEvidence> all, TestedLaboratory laboratory) {
        TrialEvidence slot = all.get(FROM_SLOT);
        TrialEvidence send = all.get(FROM_SEND);
        Prediction.Tolerance tolerance = Prediction.Tolerance.of(send, 0);
        Check.Range prompt = new Check.Range(0, 0, tolerance.wakeNanos() + tolerance.lateNanos());
        InstanceFigures judged = send.instance(0);
        return List.of(
                Prediction.of(slot, 0).time("p99 from slot", 99),
                Check.time("p99 from send", prompt, judged == null ? null : judged.p99Nanos()),
                slot.says("from slot", "FAIL: instance 1 broke p99<50ms"),
                send.says("from send", "PASS"),
                Prediction.pooled(send, RESPONSE).time("slot p99 beside", 99),
                Check.time(
                        "send p99 beside",
                        prompt,
                        slot.result().service().at(99).nanos()));
    }

    /**
     * Checks the distances of messages. Of each burst all messages but the first are sent immediately after the one before; of a Poisson process those whose gap,
     * exponentially distributed, is below a quarter of the interval. A stall delays whole bursts, or the messages that are due in it.
     */
    private static List<Check> arrivals(Map<String, TrialEvidence> all, TestedLaboratory laboratory) {
        TrialEvidence bursts = all.get(IN_BURSTS);
        TrialEvidence poisson = all.get(POISSON);
        double messages = messages(bursts, bursts.plan().phases().measureNanos());
        double close = messages * -Math.expm1(-CLOSE);
        double late = messages(bursts, ARRIVALS_STALL - STALL_LIMIT);
        double woken = messages * -Math.expm1(-2 * CLOSE) - close; // a wake-up may take as long as such a gap
        return List.of(
                near(
                        bursts,
                        "close in bursts",
                        messages * (BURST - 1) / BURST,
                        BURST,
                        0,
                        bursts.witness().bunched()),
                near(
                        poisson,
                        "close in Poisson",
                        close,
                        SIGMAS * Math.sqrt(close),
                        woken,
                        poisson.witness().bunched()),
                near(bursts, "bursts over 50 ms", late, BURST, 0, above(bursts)),
                near(poisson, "Poisson over 50 ms", late, SIGMAS * Math.sqrt(late), 0, above(poisson)),
                near(bursts, "slots in bursts", messages, BURST, 0, recorded(bursts)),
                near(poisson, "slots in Poisson", messages, SIGMAS * Math.sqrt(messages), 0, recorded(poisson)));
    }

    private static double messages(TrialEvidence evidence, long nanos) {
        return nanos / evidence.plan().load().intervalNanos();
    }

    private static long recorded(TrialEvidence evidence) {
        return evidence.response().getTotalCount();
    }

    private static long above(TrialEvidence evidence) {
        return Prediction.countAbove(evidence.response(), STALL_LIMIT);
    }

    /** A count that chance and what the machine did can change. @param more by which it may exceed that */
    private static Check near(
            TrialEvidence evidence, String what, double expected, double chance, double more, long reported) {
        Prediction.Tolerance tolerance = Prediction.Tolerance.of(evidence, 0);
        double off = chance + tolerance.displaced() + tolerance.missing();
        return Check.count(
                what,
                (long) Math.max(0, Math.floor(expected - off)),
                Math.round(expected),
                (long) Math.ceil(expected + off + more),
                reported);
    }
}
