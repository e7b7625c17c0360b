package dev.baton.measuring.attribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.baton.measuring.SlowMessage;
import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Disturbance.Kind;
import dev.baton.measuring.data.Tail;
import dev.baton.measuring.data.Tail.Cause;
import dev.baton.measuring.data.Tail.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TailJoinTest {
    private static final long MILLI = 1_000_000;

    /** The clock's zero is nobody's business; this one overflows in the middle of a trial. */
    private static final long FROM = Long.MAX_VALUE - 50 * MILLI;

    private static SlowMessage message(long slot, long sent, long received, long previous) {
        return new SlowMessage(FROM + slot, FROM + sent, FROM + received, FROM + previous);
    }

    private static Disturbance from(Kind kind, long start, long end) {
        return new Disturbance(kind, start, end - start, "made up");
    }

    private static Tail join(List<SlowMessage> messages, Disturbance... disturbances) {
        return TailJoin.of(99.9, 7, messages.size(), messages, FROM, List.of(disturbances), Senders.UNKNOWN);
    }

    private static double part(Tail tail, Cause cause) {
        return tail.shares().stream()
                .filter(share -> share.cause() == cause)
                .mapToDouble(Share::part)
                .findFirst()
                .orElse(0);
    }

    @Test
    void timeIsDividedAmongAllCauses() {
        Tail tail = join(
                List.of(message(0, 20, 100, 70)),
                from(Kind.GC, 10, 15),
                from(Kind.SAFEPOINT, 30, 40),
                from(Kind.HOST, 90, 120));

        assertThat(tail.shares())
                .containsExactly(
                        new Share(Cause.QUEUEING, 0.40, 1),
                        new Share(Cause.UNKNOWN, 0.20, 0),
                        new Share(Cause.GENERATOR, 0.15, 0),
                        new Share(Cause.SAFEPOINT, 0.10, 0),
                        new Share(Cause.HOST, 0.10, 0),
                        new Share(Cause.GC, 0.05, 0));
    }

    @Test
    void overlapCountsForStrongerEvidence() {
        Tail tail = join(
                List.of(message(0, 0, 100, 0)),
                from(Kind.HOST, 0, 80),
                from(Kind.GC, 20, 40),
                from(Kind.SAFEPOINT, 30, 60),
                from(Kind.HOST, 70, 90));

        assertThat(part(tail, Cause.GC)).isCloseTo(0.2, within(1e-9));
        assertThat(part(tail, Cause.SAFEPOINT)).isCloseTo(0.2, within(1e-9));
        assertThat(part(tail, Cause.HOST)).isCloseTo(0.5, within(1e-9));
        assertThat(part(tail, Cause.UNKNOWN)).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void busyCoresAreNoCause() {
        assertThat(join(List.of(message(0, 0, 100, 60)), from(Kind.BUSY, 0, 100))
                        .shares())
                .containsExactly(new Share(Cause.QUEUEING, 0.6, 1), new Share(Cause.UNKNOWN, 0.4, 0));
    }

    @Test
    void lateSendsAreDividedByTheirSendersGaps() {
        List<SenderGap> gaps = List.of(
                new SenderGap(1, FROM + 5, FROM + 45, 10), // slept for 30, then waited for a core for 10
                new SenderGap(2, FROM - 50, FROM + 30, 0)); // another thread, which ran again before
        Tail tail = TailJoin.of(
                99.9,
                7,
                1,
                List.of(message(0, 50, 100, 0)),
                FROM,
                List.of(from(Kind.GC, 10, 20)),
                new Senders(gaps, 40));

        assertThat(part(tail, Cause.GC)).isCloseTo(0.10, within(1e-9));
        assertThat(part(tail, Cause.GENERATOR_PACED)).isCloseTo(0.20, within(1e-9));
        assertThat(part(tail, Cause.GENERATOR_WITHOUT_CPU)).isCloseTo(0.10, within(1e-9));
        assertThat(part(tail, Cause.GENERATOR)).isCloseTo(0.10, within(1e-9));
        assertThat(part(tail, Cause.UNKNOWN)).isCloseTo(0.50, within(1e-9));
    }

    @Test
    void sleepsBeyondTheBudgetAreNotPacing() {
        Tail tail = TailJoin.of(
                99.9,
                7,
                1,
                List.of(message(0, 50, 100, 0)),
                FROM,
                List.of(),
                new Senders(List.of(new SenderGap(1, FROM, FROM + 50, 0)), 49));

        assertThat(part(tail, Cause.GENERATOR_PARKED)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void gapsBeforeTheSlotAreNoCause() {
        Tail tail = TailJoin.of(
                99.9,
                7,
                1,
                List.of(message(0, 50, 100, 0)),
                FROM,
                List.of(),
                new Senders(List.of(new SenderGap(1, FROM - 90, FROM - 1, 89)), 0));

        assertThat(part(tail, Cause.GENERATOR)).isCloseTo(0.5, within(1e-9));
    }

    /** Generator and receiver on one loop that stops for L: each message due meanwhile was sent when that was over. */
    @ParameterizedTest
    @MethodSource("kinds")
    void stallExplainsMessagesDueInIt(Kind kind, Cause cause) {
        long stall = 50 * MILLI;
        long transit = 10_000;
        List<SlowMessage> messages = new ArrayList<>();
        long previous = 0;
        for (long slot = 0; slot < stall; slot += MILLI) {
            messages.add(message(slot, stall, stall + transit, previous));
            previous = stall + transit;
        }
        Tail tail = kind == null ? join(messages) : join(messages, from(kind, -MILLI, stall));

        assertThat(tail.joined()).isEqualTo(50); // L * r
        double waited = 50 * 51 / 2.0 * MILLI; // the sum of L - k / r
        double all = waited + 50 * transit;
        assertThat(part(tail, cause)).isCloseTo(waited / all, within(1e-9));
        assertThat(part(tail, Cause.UNKNOWN)).isCloseTo(transit / all, within(1e-9)); // the first one's way
        assertThat(part(tail, Cause.QUEUEING)).isCloseTo(49 * transit / all, within(1e-9));
        assertThat(tail.shares().get(0).messages()).isEqualTo(50);
    }

    private static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(Kind.GC, Cause.GC),
                Arguments.of(Kind.SAFEPOINT, Cause.SAFEPOINT),
                Arguments.of(Kind.HOST, Cause.HOST),
                Arguments.of(Kind.STOPPED, Cause.STOPPED),
                Arguments.of(null, Cause.GENERATOR));
    }

    /** A service that stops while the generator goes on: the first message is the riddle, the others wait behind it. */
    @Test
    void serviceStallIsUnknownThenQueueing() {
        long stall = 20 * MILLI;
        List<SlowMessage> messages = new ArrayList<>();
        for (long k = 0; k < 20; k++) {
            messages.add(message(k * MILLI, k * MILLI, stall, k == 0 ? -MILLI : stall));
        }
        Tail tail = join(messages);

        double all = 20 * 21 / 2.0;
        assertThat(part(tail, Cause.UNKNOWN)).isCloseTo(20 / all, within(1e-9));
        assertThat(part(tail, Cause.QUEUEING)).isCloseTo((all - 20) / all, within(1e-9));
        assertThat(tail.shares()).contains(new Share(Cause.UNKNOWN, 20 / all, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void sharesAlwaysAddUpToOne(long seed) {
        Random random = new Random(seed);
        Disturbance[] disturbances = new Disturbance[200];
        for (int i = 0; i < disturbances.length; i++) {
            long start = random.nextInt(100_000) - 1_000;
            disturbances[i] = from(Kind.values()[random.nextInt(4)], start, start + random.nextInt(2_000));
        }
        List<SlowMessage> messages = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            long slot = random.nextInt(100_000);
            messages.add(message(
                    slot,
                    slot + random.nextInt(3_000),
                    slot + 1_500 + random.nextInt(5_000),
                    slot + random.nextInt(9_000) - 4_000));
        }
        Tail tail = join(messages, disturbances);

        assertThat(tail.shares().stream().mapToDouble(Share::part).sum()).isCloseTo(1, within(1e-9));
        assertThat(tail.shares().stream().mapToLong(Share::messages).sum()).isEqualTo(500);
        assertThat(tail.shares()).isSortedAccordingTo((one, other) -> Double.compare(other.part(), one.part()));
    }

    @Test
    void noMessagesHaveNoShares() {
        Tail tail = TailJoin.of(99, 5, 3, List.of(), FROM, List.of(from(Kind.GC, 0, 9)), Senders.UNKNOWN);

        assertThat(tail.shares()).isEmpty();
        assertThat(tail.messages()).isEqualTo(3);
        assertThat(tail.joined()).isZero();
    }
}
