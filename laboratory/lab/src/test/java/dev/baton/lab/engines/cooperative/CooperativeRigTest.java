package dev.baton.lab.engines.cooperative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.disruptor.DisruptorTransport;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.SourceSender;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class CooperativeRigTest {
    private static final long MILLI = 1_000_000;
    private static final Load EVEN = new Load(500, Load.Arrivals.EVEN, 7);

    @TempDir
    private Path temporary;

    @AfterEach
    void nothingIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("cooperative-") || name.equals("baton-lab-generator"));
    }

    private Map<String, String> options(String transport) throws Exception {
        Path directory = Files.createDirectories(temporary.resolve(transport));
        return switch (transport) {
            case "chronicle" -> Map.of("dir", directory.toString());
            case "aeron" -> Map.of("term-length", "64k", "driver-dir", directory.toString());
            case "disruptor" -> Map.of("slots", "64");
            default -> throw new IllegalArgumentException(transport);
        };
    }

    private TrialResult run(String transport, Map<String, String> options, Load load, LoopPlan loops) throws Exception {
        Path results = Files.createDirectories(temporary.resolve("results"));
        TrialPlan plan = new TrialPlan(
                "short",
                new Subject(Subject.REFERENCE_COOPERATIVE, transport, options),
                new Shape(3, 2, 21),
                load,
                loops,
                new Phases(100 * MILLI, (load.isSaturated() ? 600 : 300) * MILLI, 5_000 * MILLI),
                List.of());
        Place place = new Place(results.toString(), null, null, null, null, null, false);
        return new TrialRunner(new PlacedTrial(plan, place), ChainWorkload::open, event -> {}).run();
    }

    private static void everyMessageArrived(TrialResult result) {
        assertThat(result.delivery().isFaultless()).as("%s", result.outcome()).isTrue();
        assertThat(result.delivery().delivered())
                .isEqualTo(result.delivery().sent())
                .isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "disruptor, cooperative:1, loop",
        "disruptor, per-service, loop",
        "chronicle, cooperative:2, thread",
        "chronicle, per-service, loop",
        "aeron, cooperative:1, thread",
        "aeron, per-service, thread"
    })
    void everyMessageArrivesAtARate(String transport, String threading, String generator) throws Exception {
        Load load = EVEN.sentFrom(Load.Generator.valueOf(generator.toUpperCase(java.util.Locale.ROOT)));
        TrialResult result = run(transport, options(transport), load, new LoopPlan(threading, null, 0));

        everyMessageArrived(result);
        assertThat(result.transport().properties()).containsKeys("engine", "not promised", "threads", "version");
        assertThat(result.transport().guarantees()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"disruptor", "chronicle", "aeron"})
    void everyMessageArrivesAtSaturation(String transport) throws Exception {
        everyMessageArrived(run(
                transport, options(transport), Load.saturating(3), new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 0)));
    }

    @Test
    void pacedLoopsCarryEveryMessage() throws Exception {
        LoopPlan paced = new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 20 * MILLI);
        everyMessageArrived(run("disruptor", options("disruptor"), EVEN, paced));
    }

    private static TrialPlan fedByLoops(LoopPlan loops) {
        return new TrialPlan(
                "paced",
                new Subject(Subject.REFERENCE_COOPERATIVE, "kafka", Map.of()),
                new Shape(1, 1, 0),
                EVEN.sentFrom(Load.Generator.LOOP),
                loops,
                new Phases(MILLI, MILLI, MILLI),
                List.of());
    }

    @Test
    @Timeout(60)
    void paceCountsRoundTripsAsBatonsLoopsDo() throws Exception {
        int sweepsPerMessage = 30; // round trips, each of which is assumed to cost 0.1 ms elsewhere
        CountDownLatch smoothed = new CountDownLatch(50);
        CountDownLatch swept = new CountDownLatch(100);
        LoopPlan paced = new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 10_000 * MILLI);
        TrialPlan plan = fedByLoops(paced);
        StepLibrary working = new Working(() -> {
            smoothed.countDown();
            swept.countDown();
        });
        try (CooperativeRig rig = new CooperativeRig(plan, DisruptorTransport.create(), working, sweepsPerMessage)) {
            rig.start(NOTHING_TO_SEND);
            assertThat(smoothed.await(30, TimeUnit.SECONDS)).isTrue();
            long begun = System.nanoTime();
            assertThat(swept.await(30, TimeUnit.SECONDS)).isTrue();
            long least =
                    45 * 2 * sweepsPerMessage * MILLI / 10; // a period is twice the cost; the first sweeps were early
            assertThat(System.nanoTime() - begun).isGreaterThan(least);
        }
    }

    @Test
    @Timeout(60)
    void loopRestsInCallThatEndsWithNews() throws Exception {
        BlockingQueue<Long> waits = new LinkedBlockingQueue<>();
        TrialPlan plan = fedByLoops(new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 0));
        try (CooperativeRig rig = new CooperativeRig(plan, DisruptorTransport.create(), new Awaiting(waits), 1)) {
            rig.start(NOTHING_TO_SEND);
            assertThat(waits.poll(30, TimeUnit.SECONDS)).isEqualTo(100 * MILLI); // as a loop of Baton over Kafka
        }
    }

    @Test
    void sourceOnLoopCountsAsPart() {
        TrialPlan onLoop = fedByLoops(new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 0));
        TrialPlan onThread = onLoop.under(EVEN.sentFrom(Load.Generator.THREAD));

        assertThat(CooperativeRig.sweepsOfRoundTrips(onThread)).isEqualTo(2);
        assertThat(CooperativeRig.sweepsOfRoundTrips(onLoop))
                .isEqualTo(3); // source, service and receiver, as in Sections
    }

    /** A library whose wait ends with news, and whose loops find none. */
    private record Awaiting(BlockingQueue<Long> waits) implements StepLibrary {
        @Override
        public Map<String, String> properties() {
            return Map.of();
        }

        @Override
        public void createTopics(List<String> names) {}

        @Override
        public boolean needsWake() {
            return false;
        }

        @Override
        public Io io() {
            return new Io() {
                @Override
                public Waiting waiting() {
                    return new Waiting() {
                        @Override
                        public void await(long nanos) {
                            waits.add(nanos);
                            LockSupport.parkNanos(nanos);
                        }

                        @Override
                        public void wake() {}
                    };
                }
            };
        }

        @Override
        public Chain chain(ChainEnds ends, List<String> topics, List<Io> ios) {
            return new Working(() -> {}).chain(ends, topics, ios);
        }

        @Override
        public void close() {}
    }

    /** A library whose loops find work in every sweep. */
    private record Working(Runnable onSweep) implements StepLibrary {
        @Override
        public Map<String, String> properties() {
            return Map.of();
        }

        @Override
        public void createTopics(List<String> names) {}

        @Override
        public Io io() {
            return new Io() {
                @Override
                public int turn() {
                    onSweep.run();
                    return 1;
                }
            };
        }

        @Override
        public Chain chain(ChainEnds ends, List<String> topics, List<Io> ios) {
            LoopStep.Entry entry = new LoopStep.Entry() {
                @Override
                public boolean trySend(long number, long originNanos, int tag) {
                    return false;
                }

                @Override
                public boolean flush() {
                    return true;
                }
            };
            return new Chain(entry, List.of(() -> 0, () -> 0));
        }

        @Override
        public void close() {}
    }

    private static final ChainEnds NOTHING_TO_SEND = new ChainEnds() {
        @Override
        public int index() {
            return 0;
        }

        @Override
        public MessageSource generator() {
            return new MessageSource() {
                @Override
                public int onTurn(SourceSender sender) {
                    return 0;
                }

                @Override
                public long deadlineNanos() {
                    return Long.MAX_VALUE;
                }
            };
        }

        @Override
        public MessageSink receiver() {
            return (origin, tag, hops, length, payload) -> {};
        }

        @Override
        public PayloadPattern pattern() {
            return new PayloadPattern(0, 1);
        }
    };

    @Test
    void virtualThreadsAreRefused() {
        assertThatThrownBy(() -> run("disruptor", options("disruptor"), EVEN, new LoopPlan(LoopPlan.VIRTUAL, null, 0)))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("runs with --threading cooperative:N or per-service");
    }

    @Test
    @Tag("slow")
    @Tag("long")
    void recordsArriveThroughOneProducerPerLoop() throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start()) {
            Map<String, String> options = Map.of("bootstrap-servers", broker.bootstrapServers());
            TrialResult result = run("kafka", options, EVEN, new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 0));
            everyMessageArrived(result);
            assertThat(result.transport().properties().get("acknowledgement"))
                    .as("Baton's default")
                    .startsWith("acks=all");
        }
    }
}
