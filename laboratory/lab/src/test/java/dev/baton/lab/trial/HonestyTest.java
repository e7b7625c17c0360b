package dev.baton.lab.trial;

import static dev.baton.lab.trial.Bench.MILLI;
import static dev.baton.lab.trial.Bench.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.baton.lab.request.Load;
import dev.baton.lab.trial.Bench.Sent;
import dev.baton.lab.trial.ends.Schedules;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The errors of well-known rigs, each of which would make one of these tests fail. */
class HonestyTest {
    private static final long HIGHEST = 3_600 * SECOND;

    private static Bench bench() {
        return new Bench(Plans.EVEN_1000, HIGHEST);
    }

    /** Coordinated omission: a generator that waits for the stalled system would count one late message. */
    @ParameterizedTest
    @CsvSource({"200, 100, 100", "50, 10, 20", "999, 10, 5"})
    void loopStallDelaysEveryDueMessage(long stallMillis, long limitMillis, long everySeconds) {
        Bench bench = bench().start(0, everySeconds * SECOND, SECOND);
        bench.runUntil(SECOND);
        bench.now += stallMillis * MILLI; // nobody sends, nobody receives
        bench.runUntil(everySeconds * SECOND + MILLI);
        bench.settle();

        double expected = (stallMillis - limitMillis) / (everySeconds * 1000.0);
        assertThat(bench.shareAbove(limitMillis * MILLI)).isCloseTo(expected, within(0.03 * expected));
        assertThat(bench.figures.sendDelay().getMaxValue()).isCloseTo(stallMillis * MILLI, within(2 * MILLI));
        assertThat(bench.figures.service().getMaxValue()).isLessThan(MILLI);
    }

    @Test
    void receiverStallIsNoSendDelay() {
        Bench bench = bench().start(0, 10 * SECOND, SECOND);
        bench.runUntil(SECOND);
        for (long end = bench.now + 200 * MILLI; bench.now < end; bench.now += MILLI / 10) {
            bench.send();
        }
        bench.runUntil(10 * SECOND + MILLI);
        bench.settle();

        assertThat(bench.shareAbove(100 * MILLI)).isCloseTo(0.01, within(0.0002));
        assertThat(bench.figures.service().getMaxValue()).isCloseTo(200 * MILLI, within(2 * MILLI));
        assertThat(bench.figures.sendDelay().getMaxValue()).isLessThan(MILLI);
    }

    @Test
    void lateMessagesKeepTheirSlots() {
        Bench bench = bench().start(0, SECOND, SECOND);
        bench.send();
        bench.now = 100 * MILLI;

        assertThat(bench.send()).isIn(100, 101);
        assertThat(bench.wire.stream().map(Bench.Sent::originNanos).distinct()).hasSize(bench.wire.size());
        long first = bench.wire.getFirst().originNanos();
        assertThat(bench.wire)
                .allSatisfy(sent -> assertThat(sent.originNanos()).isEqualTo(first + sent.number() * MILLI));
        assertThat(bench.generator.deadlineNanos()).isEqualTo(first + bench.wire.size() * MILLI);
    }

    @Test
    void noMessageIsSentBeforeItsSlot() {
        Bench bench = bench().start(0, SECOND, SECOND);
        for (; bench.now < SECOND; bench.now += 12_345) {
            bench.send();
        }

        assertThat(bench.wire)
                .allSatisfy(sent -> assertThat(sent.atNanos()).isGreaterThanOrEqualTo(sent.originNanos()));
    }

    /** A millisecond clock would call all of these 0, and drop them. */
    @Test
    void shortResponsesHaveThreeDigits() {
        Bench bench = bench().start(0, SECOND, SECOND);
        for (int i = 0; i < 1_000; i++) {
            bench.now = Math.max(
                    bench.now, bench.generator.deadlineNanos() == Long.MAX_VALUE ? 0 : bench.generator.deadlineNanos());
            bench.send();
            bench.now += 1_234;
            bench.receive();
        }
        bench.settle();

        assertThat(bench.figures.response().getValueAtPercentile(50)).isBetween(1_233L, 1_236L);
    }

    @Test
    void undeliveredMessagesAreChargedUntilDeadline() {
        Bench bench = bench().start(0, SECOND, 5 * SECOND);
        bench.runUntil(900 * MILLI);
        while (bench.now < SECOND) {
            bench.send();
            bench.now += MILLI / 10;
        }
        bench.now = 6 * SECOND;
        bench.receive(); // too late to count as delivered, and not lost
        FinalCounts accounting = bench.settle();

        assertThat(accounting.delivery().lost()).isZero();
        assertThat(accounting.delivery().undrained()).isBetween(99L, 101L);
        assertThat(accounting.delivery().delivered() + accounting.delivery().undrained())
                .isEqualTo(accounting.delivery().sent());
        assertThat(accounting.rate().share()).isCloseTo(0.9, within(0.002));
        assertThat(bench.figures.response().getTotalCount()).isEqualTo(1_000);
        assertThat(bench.shareAbove(4_900 * MILLI)).isCloseTo(0.1, within(0.002));
        assertThat(bench.figures.response().getMaxValue()).isCloseTo(5_100 * MILLI, within(10 * MILLI));
    }

    @Test
    void missingMessagesAreLostAfterDrain() {
        for (boolean isDrained : new boolean[] {true, false}) {
            Bench bench = bench().start(0, SECOND, 5 * SECOND);
            bench.isDrained = isDrained;
            bench.runUntil(990 * MILLI);
            while (bench.now < SECOND) {
                bench.send();
                bench.now += MILLI / 10;
            }
            bench.now = 6 * SECOND;
            FinalCounts accounting = bench.settle();

            assertThat(accounting.delivery().lost()).isEqualTo(isDrained ? bench.wire.size() : 0);
            assertThat(accounting.delivery().undrained()).isEqualTo(isDrained ? 0 : bench.wire.size());
            assertThat(bench.receiver.incidents().isEmpty()).isEqualTo(!isDrained);
            assertThat(bench.shareAbove(4_900 * MILLI)).isCloseTo(0.01, within(0.0011));
        }
    }

    @Test
    void messagesWithoutKeptNumbersAreCharged() {
        int gaps = 100_000; // more than the account keeps
        Bench bench = new Bench(new Load(1_000_000, Load.Arrivals.EVEN, 42), HIGHEST).start(0, SECOND, 5 * SECOND);
        for (int arrived = 0; bench.now < SECOND; bench.now += MILLI / 10) {
            bench.send();
            for (Sent message; (message = bench.wire.poll()) != null; ) {
                if (message.number() % 2 == 1 || arrived >= gaps) {
                    bench.arrives(message);
                    arrived++;
                }
            }
        }
        bench.now = 6 * SECOND;
        FinalCounts accounting = bench.settle();

        assertThat(accounting.delivery().lost()).isEqualTo(gaps);
        assertThat(bench.figures.response().getTotalCount()).isEqualTo(1_000_000);
    }

    @Test
    void lateMissingMessageLowersRateOnce() {
        Bench bench = bench().start(0, SECOND, SECOND);
        bench.runUntil(900 * MILLI);
        bench.now = 1_500 * MILLI; // the last hundred are sent late
        bench.send();
        bench.now = 2 * SECOND;
        FinalCounts accounting = bench.settle();

        assertThat(accounting.rate().share()).isCloseTo(0.9, within(0.002));
    }

    @Test
    void unsentMessagesAreRecorded() {
        Bench bench = bench().start(0, SECOND, 2 * SECOND);
        bench.runUntil(500 * MILLI);
        bench.room = 0;
        bench.runUntil(3 * SECOND);
        FinalCounts accounting = bench.settle();

        assertThat(accounting.delivery().unsent()).isBetween(499L, 501L);
        assertThat(accounting.delivery().lost()).isZero();
        assertThat(bench.figures.response().getTotalCount()).isEqualTo(1_000);
        assertThat(bench.figures.sendDelay().getTotalCount()).isEqualTo(1_000);
        assertThat(bench.shareAbove(1_999 * MILLI)).isCloseTo(0.5, within(0.005));
        assertThat(accounting.rate().share()).isCloseTo(0.5, within(0.005));
    }

    @Test
    void slotDecidesWhatIsMeasured() {
        Bench bench = bench().start(SECOND, SECOND, SECOND);
        while (bench.now < 2 * SECOND) {
            bench.send();
            bench.now += MILLI / 10;
        }
        bench.now = 2_500 * MILLI;
        bench.receive(); // all of it, warm-up and measured, after the window
        FinalCounts accounting = bench.settle();

        assertThat(accounting.delivery().delivered()).isEqualTo(2_000);
        assertThat(bench.figures.response().getTotalCount()).isEqualTo(1_000);
        assertThat(bench.figures.response().getMinValue()).isGreaterThan(490 * MILLI);
        assertThat(bench.figures.response().getMaxValue()).isLessThan(1_510 * MILLI);
    }

    @Test
    void overloadIsClampedVisibly() {
        Bench bench = new Bench(Plans.EVEN_1000, SECOND);
        bench.start(0, 3 * SECOND, SECOND);
        while (bench.now < 3 * SECOND) {
            bench.send();
            bench.now += MILLI / 10;
        }
        bench.receive();
        bench.settle();

        assertThat(bench.figures.response().getTotalCount()).isEqualTo(3_000);
        assertThat(bench.figures.clampedResponses()).isBetween(1_998L, 2_002L);
    }

    @Test
    void missedRateIsDetected() {
        Bench bench = bench().start(0, 10 * SECOND, SECOND);
        while (bench.now < 10 * SECOND) {
            bench.room = 9;
            bench.send(); // at most 9 every 10 ms: 90 %
            bench.receive();
            bench.now += 10 * MILLI;
        }
        FinalCounts accounting = bench.settle();

        assertThat(accounting.rate().askedPerSecond()).isCloseTo(1000, within(0.2));
        assertThat(accounting.rate().worstShare()).isCloseTo(0.9, within(0.003));
    }

    @Test
    void aPoissonLoadIsJudgedTheSameWay() {
        Bench bench = new Bench(Plans.POISSON_1000, HIGHEST);
        bench.start(0, 20 * SECOND, SECOND);
        bench.runUntil(SECOND);
        bench.now += 500 * MILLI;
        bench.runUntil(20 * SECOND + MILLI);
        FinalCounts accounting = bench.settle();

        assertThat(accounting.delivery().isFaultless()).isTrue();
        assertThat(bench.shareAbove(100 * MILLI)).isCloseTo(400 / 20_000.0, within(0.003));
    }

    @Test
    void instancesDoNotFireTogether() {
        Load load = Plans.EVEN_1000;
        long[] phases = new long[1_000];
        for (int i = 0; i < phases.length; i++) {
            phases[i] = Schedules.phaseNanos(load, i);
        }
        Arrays.sort(phases);
        for (int i = 1; i < phases.length; i++) {
            assertThat(phases[i] - phases[i - 1]).isBetween(300L, 3_000L);
        }
    }

    @Test
    void interruptionOnlyMovesTimesForward() {
        Bench bench = bench().start(0, 10 * SECOND, 5 * SECOND);
        bench.window.cut(4 * SECOND, SECOND);
        bench.window.cut(4 * SECOND + MILLI, SECOND);

        assertThat(bench.window.endNanos()).isEqualTo(4 * SECOND);
        assertThat(bench.window.deadlineNanos()).isEqualTo(5 * SECOND);
        bench.window.close(20 * SECOND);
        assertThat(bench.window.deadlineNanos()).isEqualTo(5 * SECOND);
    }
}
