package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.chains.ProvidedChain.OutputCheck;
import dev.baton.chains.ProvidedChain.Outputs;
import dev.baton.lab.reporting.StageTable;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.trial.ends.ArrivalListener;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Paint;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trials of chains with messages and a check of their own, in this JVM. */
@Tag("slow")
class ProvidedChainTest {
    private static final Phases PHASES = new Phases(100_000_000L, 200_000_000L, 1_000_000_000L);
    private static final OutputCheck RIGHT = (number, index, output) -> output.getLong(0) == number ? null : "wrong";

    @TempDir
    private Path results;

    private TrialResult run(TestChain chain, Load load) {
        return run(chain, load, 1);
    }

    private TrialResult run(TestChain chain, Load load, int instances) {
        NamedChain named = new NamedChain("test", new TreeMap<>(), "test.jar", "");
        Shape shape = new Shape(2, instances, chain.maxPayload(), named);
        TrialPlan plan = new TrialPlan(
                "memory-1",
                new Subject(Subject.BATON, "memory", Map.of()),
                shape,
                load,
                new LoopPlan("cooperative:1", null, 0),
                PHASES,
                List.of(),
                null,
                null);
        return new TrialRunner(
                        new PlacedTrial(plan, new Place(results.toString(), null, null, null, null, null, false)),
                        instruments -> new ChainWorkload(
                                instruments, BatonRig.open(instruments, chain), chain, ArrivalListener.NONE),
                        event -> {})
                .run();
    }

    private static void isFaultless(TrialResult result) {
        Delivery delivery = result.delivery();
        assertThat(delivery.isFaultless())
                .as("%s, %s", delivery, result.outcome().reasons())
                .isTrue();
        assertThat(delivery.delivered() + delivery.filtered()).isEqualTo(delivery.sent());
    }

    /** What stands for the second service: forwards all but one message, with which it does something else. */
    private static Supplier<Service> except(long wrong, Service otherwise) {
        return () -> (in, out) -> {
            if (in.getLong(0) == wrong) {
                otherwise.onMessage(in, out);
            } else {
                out.forward(in);
            }
        };
    }

    private static TestChain doing(Supplier<Service> service) {
        return new TestChain(Outputs.ONE_EACH, service, TestChain.NUMBERS, RIGHT);
    }

    @Test
    void singleOutputsAreAccountedFor() {
        TestChain chain = TestChain.forwarding(TestChain.NUMBERS, RIGHT);
        for (Load load : new Load[] {Plans.EVEN_1000, Plans.POISSON_1000, Load.saturating(3), Load.closed(2, 3)}) {
            TrialResult result = run(chain, load, 2);

            isFaultless(result);
            assertThat(result.delivery().delivered()).isGreaterThan(100);
            assertThat(result.delivery().filtered()).isZero();
            assertThat(result.rate().writingNanos()).isPositive();
        }
    }

    @Test
    void inputsWithoutOutputAreFiltered() {
        TestChain.Counts seldom = number -> number % 50 == 7 ? 1 : 0;
        TestChain chain = TestChain.of(Outputs.AT_MOST_ONE, seldom);
        for (Load load : new Load[] {Plans.EVEN_1000, Plans.POISSON_1000, Load.saturating(3), Load.closed(1, 3)}) {
            TrialResult result = run(chain, load);

            isFaultless(result);
            assertThat(result.delivery().filtered())
                    .isBetween(
                            result.delivery().sent() * 97 / 100,
                            result.delivery().sent() * 99 / 100);
        }
    }

    @Test
    void filteredMessagesDoNotStayInFlight() {
        TrialResult result = run(TestChain.of(Outputs.AT_MOST_ONE, number -> number % 2 == 0 ? 1 : 0), Plans.EVEN_1000);

        assertThat(StageTable.lines(List.of(result), new Paint(false), 100))
                .contains("stages: not timed, as services of chain test filter or multiply messages");
        assertThat(result.timeline())
                .isNotEmpty()
                .allSatisfy(second -> assertThat(second.received()).isGreaterThan(second.sent() * 3 / 4));
    }

    @Test
    void chainWithoutOutputFiltersEverything() {
        TrialResult result = run(TestChain.of(Outputs.AT_MOST_ONE, number -> 0), Load.saturating(3));

        assertThat(result.delivery().filtered())
                .isEqualTo(result.delivery().sent())
                .isPositive();
        assertThat(result.delivery().lost()).isZero();
    }

    @Test
    void severalOutputsAreOneMessage() {
        TestChain chain = TestChain.of(Outputs.ANY, number -> (int) (number % 4));
        for (Load load : new Load[] {Plans.EVEN_1000, Load.saturating(3)}) {
            TrialResult result = run(chain, load);

            isFaultless(result);
            assertThat(result.delivery().filtered())
                    .isBetween(
                            result.delivery().sent() / 4 - 1, result.delivery().sent() / 4 + 1);
            if (load == Plans.EVEN_1000) {
                assertThat(result.response().count()).isBetween(280L, 320L); // 200 inputs with 0, 1, 2 or 3
            }
        }
    }

    @Test
    void sendDelaySurvivesChangedType() {
        TrialResult result = run(TestChain.of(Outputs.ANY, number -> 1), Plans.EVEN_1000);

        isFaultless(result);
        assertThat(result.service().at(50).nanos())
                .isLessThanOrEqualTo(result.response().at(50).nanos());
        assertThat(result.sendDelay().at(50).nanos()).isPositive();
    }

    @Test
    void aLostOutputIsLost() {
        TrialResult result = run(doing(except(200, (in, out) -> {})), Plans.EVEN_1000);

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons().get(0)).contains("1 of 300 messages lost", "message 201 (not arrived)");
        assertThat(result.delivery().lost()).isEqualTo(1);
    }

    @Test
    void anOutputThatComesTwiceIsADuplicate() {
        Supplier<Service> twice = () -> new Service() {
            @Override
            public int maxOutputs() {
                return 2;
            }

            @Override
            public void onMessage(Message in, Outlet out) {
                out.forward(in);
                if (in.getLong(0) == 200) {
                    out.forward(in);
                }
            }
        };
        TrialResult result = run(doing(twice), Plans.EVEN_1000);

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons().get(0))
                .contains("1 of 300 messages duplicated", "message 201 (it had arrived before)");
        assertThat(result.delivery().lost()).isZero();
    }

    @Test
    void wrongOutputFailsTheTrial() {
        Service wrong = (in, out) -> out.claim(8).putLong(0, 17).commit(8);
        TrialResult result = run(doing(except(200, wrong)), Plans.EVEN_1000);

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons().get(0))
                .contains("1 of 300 messages corrupted; the first: instance 1, message 201 (wrong)");
    }

    @Test
    void outputOfFilteredInputIsWrong() {
        TestChain chain = new TestChain(
                Outputs.AT_MOST_ONE,
                () -> TestChain.sending(number -> 1),
                TestChain.NUMBERS,
                TestChain.check(number -> number == 200 ? 0 : 1));
        TrialResult result = run(chain, Plans.EVEN_1000);

        assertThat(result.outcome().reasons().get(0))
                .contains("1 of 300 messages corrupted", "message 201 (it leads to no output, but one arrived");
    }

    @Test
    void missingOutputMakesItsInputLost() {
        TestChain chain = new TestChain(
                Outputs.ANY, () -> sendingAllBut(200, 1), TestChain.NUMBERS, TestChain.check(number -> 3));
        TrialResult result = run(chain, Plans.EVEN_1000);

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.delivery().corrupted()).isZero();
        assertThat(result.outcome().reasons().get(0))
                .contains("1 of 300 messages lost", "message 201 (2 of its 3 outputs arrived)");
    }

    private static Service sendingAllBut(long number, int index) {
        return new Service() {
            @Override
            public int maxOutputs() {
                return 3;
            }

            @Override
            public void onMessage(Message in, Outlet out) {
                for (int i = 0; i < 3; i++) {
                    if (in.getLong(0) != number || i != index) {
                        TestChain.send(out, in.getLong(0), i);
                    }
                }
            }
        };
    }

    @Test
    void throwingCheckFailsTheTrial() {
        AtomicBoolean hasThrown = new AtomicBoolean();
        TestChain chain = TestChain.forwarding(TestChain.NUMBERS, (number, index, output) -> {
            if (number >= 200 && hasThrown.compareAndSet(false, true)) {
                throw new IllegalStateException("no scale");
            }
            return null;
        });
        TrialResult result = run(chain, Plans.EVEN_1000);

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons().get(0))
                .contains("message 201 (the check of chain test threw java.lang.IllegalStateException: no scale");
    }

    @Test
    void faultyGeneratorStopsTheTrial() {
        TestChain throwing = TestChain.forwarding(
                (number, into) -> {
                    if (number == 200) {
                        throw new IllegalStateException("no ink");
                    }
                    return TestChain.NUMBERS.write(number, into);
                },
                RIGHT);
        TestChain writing = TestChain.forwarding((number, into) -> 33, RIGHT);

        assertThat(run(throwing, Plans.EVEN_1000).outcome().reasons().get(0))
                .contains("instance 1 stopped", "the generator of chain test failed at message 201", "no ink");
        assertThat(run(writing, Plans.EVEN_1000).outcome().reasons().get(0))
                .contains("failed at message 1: 33 bytes; 0 to 32 are allowed");
    }

    @Test
    void slowGeneratorIsReported() {
        TestChain chain = TestChain.forwarding(
                (number, into) -> {
                    long begun = System.nanoTime();
                    while (System.nanoTime() - begun < 2_000_000) {
                        Thread.onSpinWait();
                    }
                    return TestChain.NUMBERS.write(number, into);
                },
                RIGHT);
        TrialResult result = run(chain, Plans.EVEN_1000);

        assertThat(result.outcome().verdict()).isNotEqualTo(Verdict.PASS);
        assertThat(result.outcome().reasons())
                .last()
                .asString()
                .contains("the generator of chain test took ", " % of the loops that feed the chains");
        assertThat(result.rate().writingNanos()).isGreaterThan(1_900_000);
    }
}
