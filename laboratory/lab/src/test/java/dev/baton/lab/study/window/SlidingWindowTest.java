package dev.baton.lab.study.window;

import static dev.baton.lab.study.window.WindowBench.MILLI;
import static dev.baton.lab.study.window.WindowBench.STEP;
import static dev.baton.lab.study.window.WindowBench.WARMUP_STEPS;
import static dev.baton.lab.study.window.WindowBench.endOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Load.Arrivals;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Incident;
import dev.baton.lab.study.window.WindowStudy.Aggregate;
import dev.baton.lab.study.window.WindowStudy.State;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.StartedWindow;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The job from its sources to its sinks, on a manual clock. */
class SlidingWindowTest {
    private static final int STEPS = 40;
    private static final int LAST = WARMUP_STEPS + STEPS;

    @ParameterizedTest
    @EnumSource(State.class)
    void everyKeyArrivesOnceAndAddsUp(State state) {
        try (WindowBench bench = new WindowBench(state, 20, 1, STEPS, 64)) {
            bench.runUntil(endOf(LAST));
            assertThat(bench.isDone()).isTrue();
            FinalCounts finalCounts = bench.settle();

            assertThat(finalCounts.delivery()).isEqualTo(faultless(LAST * 10L + LAST * 20L));
            assertThat(finalCounts.rate().share()).isEqualTo(1);
            assertThat(finalCounts.rate().askedPerSecond()).isEqualTo(3_000); // 10 events and 20 keys every 10 ms
            assertThat(bench.figures.response().getTotalCount()).isEqualTo(STEPS);
            assertThat(bench.figures.response().getMaxValue()).isZero(); // turned at each step's very end
        }
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void partsShareTheEventsAndTheKeys(State state) {
        try (WindowBench bench = new WindowBench(state, 20, 3, STEPS, 64)) {
            bench.runUntil(endOf(LAST));
            assertThat(bench.isDone()).isTrue();

            assertThat(bench.settle().delivery()).isEqualTo(faultless(LAST * 10L + LAST * 20L));
            assertThat(bench.parts).extracting(part -> part.keys.keys()).containsExactly(7, 7, 6);
            assertThat(bench.figures.response().getTotalCount()).isEqualTo(STEPS);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BOXED, SUM, EVEN, 0", "PRIMITIVE, SUM, POISSON, 0", "BOXED, TIME_INTEGRAL, POISSON, 0",
        "PRIMITIVE, TIME_INTEGRAL, EVEN, 0", "PRIMITIVE, COUNT, BURSTS, 30", "BOXED, COUNT, POISSON, 0"
    })
    void everyAggregateOfAllArrivalsAddsUp(State state, Aggregate aggregate, Arrivals arrivals, int burst) {
        Load load = new Load(1_000, Arrivals.EVEN, 7).arriving(arrivals, burst);
        try (WindowBench bench = new WindowBench(state, aggregate, load, 20, 2, STEPS, 64, null)) {
            bench.runUntil(endOf(LAST));
            bench.settleDown();
            assertThat(bench.isDone()).isTrue();
            FinalCounts finalCounts = bench.settle();

            assertThat(finalCounts.delivery().isFaultless())
                    .as("%s", finalCounts.delivery().incidents())
                    .isTrue();
            assertThat(finalCounts.delivery().unsent()).isZero();
            assertThat(finalCounts.delivery().sent())
                    .isEqualTo(bench.parts.stream()
                                    .mapToLong(part -> part.source.sent.count())
                                    .sum()
                            + LAST * 20L);
            assertThat(finalCounts.rate().share()).isEqualTo(1);
            assertThat(bench.figures.response().getTotalCount()).isEqualTo(STEPS);
        }
    }

    @Test
    void stallIsChargedToItsWindows() {
        try (WindowBench bench = new WindowBench(State.PRIMITIVE, 20, 1, STEPS, 64)) {
            bench.runUntil(endOf(20));
            long stalledUntil = endOf(27) + 3 * MILLI;
            bench.now = stalledUntil; // 73 ms without a turn
            bench.settleDown();
            bench.runUntil(endOf(LAST));

            for (int step = 21; step <= 27; step++) {
                assertThat(bench.board.begunNanos(step)).isEqualTo(stalledUntil - endOf(step));
                assertThat(bench.board.sendDelayNanos(step)).isEqualTo(stalledUntil - endOf(step));
            }
            assertThat(bench.board.begunNanos(20)).isZero();
            assertThat(bench.board.begunNanos(28)).isZero();
            assertThat(bench.settle().delivery().isFaultless()).isTrue();
            assertThat(bench.figures.response().getMaxValue()).isBetween(63 * MILLI, 63 * MILLI + MILLI / 10);
            assertThat(bench.figures.service().getMaxValue()).isZero(); // the source was late, nobody else
        }
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void slowEmissionDelaysSourceWithoutLoss(State state) {
        try (WindowBench bench = new WindowBench(state, 1_000, 1, STEPS, 64)) { // 16 turns for a step, 10 there are
            bench.runUntil(endOf(LAST));
            assertThat(bench.parts.get(0).source.announced).isLessThan(LAST);
            assertThat(bench.parts.get(0).source.isDone).isFalse();
            assertThat(bench.failure).hasValue(null);

            bench.now += 200 * MILLI;
            bench.settleDown();
            assertThat(bench.isDone()).isTrue();
            FinalCounts finalCounts = bench.settle();
            assertThat(finalCounts.delivery()).isEqualTo(faultless(LAST * 10L + LAST * 1_000L));
            assertThat(finalCounts.rate().share()).isLessThan(0.9);
        }
    }

    @Test
    void missingItemsAreLostAndCharged() {
        try (WindowBench bench = new WindowBench(State.PRIMITIVE, 20, 1, STEPS, 64)) {
            bench.runUntil(endOf(LAST - 3));
            bench.now = bench.window.deadlineNanos();
            bench.settleDown();
            FinalCounts finalCounts = bench.settle();

            assertThat(finalCounts.delivery().unsent()).isEqualTo(3 * 10 + 3 * 20 - 1); // one event was due just then
            assertThat(bench.figures.response().getTotalCount()).isEqualTo(STEPS);
            assertThat(bench.figures.response().getMaxValue()).isGreaterThanOrEqualTo(1_020 * MILLI);
            assertThat(bench.figures.sendDelay().getMaxValue()).isGreaterThanOrEqualTo(1_020 * MILLI);
            assertThat(finalCounts.rate().share()).isEqualTo((STEPS - 3) / (double) STEPS);
        }
    }

    @Test
    void lateItemsAreUndrainedNotLost() {
        try (WindowBench bench = overloaded()) {
            bench.settleDown();

            Delivery found = bench.settle().delivery();
            assertThat(found.lost()).isZero();
            assertThat(found.undrained()).isPositive();
            assertThat(found.sent()).isEqualTo(found.delivered() + found.undrained());
        }
    }

    @Test
    void pendingEmissionsAreNotLost() {
        try (WindowBench bench = overloaded()) {
            bench.turn();

            Delivery found = bench.settle().delivery();
            assertThat(found.lost()).isZero();
            assertThat(found.sent()).isEqualTo(found.delivered() + found.undrained());
        }
    }

    /** A job whose windows take longer to emit than they have, at its deadline. */
    private static WindowBench overloaded() {
        WindowBench bench = new WindowBench(State.PRIMITIVE, 1_000, 1, STEPS, 64);
        bench.runUntil(endOf(LAST));
        bench.now = bench.window.deadlineNanos();
        return bench;
    }

    @Test
    void anInterruptionEndsTheStepsAtOnce() {
        try (WindowBench bench = new WindowBench(State.PRIMITIVE, 20, 1, STEPS, 64)) {
            bench.runUntil(endOf(20) + 4 * MILLI);
            StartedWindow.cut(bench.window, bench.now, STEP);
            bench.settleDown();
            assertThat(bench.isDone()).isTrue();
            FinalCounts finalCounts = bench.settle();
            assertThat(finalCounts.delivery().isFaultless()).isTrue();
            assertThat(bench.figures.response().getTotalCount()).isEqualTo(20 - WARMUP_STEPS);
        }
    }

    @Test
    void aWrongCountIsCorrupted() {
        Delivery found = tampered(alter(3, 1));
        assertThat(found.corrupted()).isEqualTo(1);
        assertThat(found.incidents().get(0).kind()).isEqualTo(Incident.Kind.CORRUPTED);
        assertThat(found.incidents().get(0).detail()).isEqualTo("its totals add up to 51 instead of 50");
        assertThat(found.incidents().get(0).sequence()).isEqualTo(15);
    }

    @Test
    void countsUnderWrongKeysAreCorrupted() {
        long[] first = new long[1];
        Delivery found = tampered(() -> new Tamper() {
            @Override
            void onResult(Message in, Outlet out) {
                int key = Wire.resultKey(in);
                if (key == 0) {
                    first[0] = Wire.resultTotal(in);
                } else if (key == 1) {
                    send(in, out, 0, Wire.resultTotal(in));
                    send(in, out, 1, first[0]);
                } else {
                    out.forward(in);
                }
            }
        });
        assertThat(found.corrupted()).isEqualTo(1);
        assertThat(found.incidents().get(0).detail())
                .isEqualTo("its totals add up to 50, and some are under wrong keys");
    }

    @Test
    void aKeyThatIsMissingIsLost() {
        Delivery found = tampered(() -> new Tamper() {
            @Override
            void onResult(Message in, Outlet out) {
                if (Wire.resultKey(in) != 3) {
                    out.forward(in);
                }
            }
        });
        assertThat(found.lost()).isEqualTo(1);
        assertThat(found.incidents().get(0).detail()).isEqualTo("19 of 20 keys came before step 16");
    }

    @Test
    void aKeyThatComesTwiceIsDuplicated() {
        Delivery found = tampered(() -> new Tamper() {
            @Override
            void onResult(Message in, Outlet out) {
                out.forward(in);
                if (Wire.resultKey(in) == 3) {
                    out.forward(in);
                }
            }
        });
        assertThat(found.duplicated()).isEqualTo(1);
        assertThat(found.lost()).isZero();
    }

    @Test
    void unknownKeyIsCorrupted() {
        Delivery found = tampered(alter(20, 0));
        assertThat(found.corrupted()).isEqualTo(1);
        assertThat(found.lost()).isEqualTo(1);
    }

    /** What is found when something happens to the results of step 15. */
    private static Delivery tampered(Supplier<Service> tamper) {
        try (WindowBench bench = new WindowBench(State.PRIMITIVE, 20, 1, STEPS, 64, tamper)) {
            bench.runUntil(endOf(LAST));
            return bench.settle().delivery();
        }
    }

    /** Gives the result of key 3 another key, and adds to its total. */
    private static Supplier<Service> alter(int otherKey, long added) {
        return () -> new Tamper() {
            @Override
            void onResult(Message in, Outlet out) {
                boolean isAltered = Wire.resultKey(in) == 3;
                send(
                        in,
                        out,
                        isAltered ? otherKey : Wire.resultKey(in),
                        Wire.resultTotal(in) + (isAltered ? added : 0));
            }
        };
    }

    /** Passes everything on but the results of step 15. */
    private abstract static class Tamper implements Service {
        private static final int STEP_15 = 15;

        @Override
        public final void onMessage(Message in, Outlet out) {
            if (in.type() == STEP_15) {
                onResult(in, out);
            } else {
                out.forward(in);
            }
        }

        abstract void onResult(Message in, Outlet out);

        static void send(Message in, Outlet out, int key, long total) {
            Wire.commitResult(out.claim(Wire.RESULT_BYTES), in.type(), key, total);
        }

        @Override
        public int maxOutputs() {
            return 2;
        }
    }

    private static Delivery faultless(long items) {
        return new Delivery(items, items, 0, 0, 0, 0, 0, 0, List.of(), 0);
    }
}
