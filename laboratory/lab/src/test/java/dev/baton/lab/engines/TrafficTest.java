package dev.baton.lab.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.ChronicleProvider;
import dev.baton.lab.request.DataFile;
import dev.baton.lab.request.Keys;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.Sizes;
import dev.baton.lab.request.Work;
import dev.baton.lab.results.Rate;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.spi.Extension;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services that work, payloads of different lengths, keys and recorded traffic, over every engine. */
@Tag("long")
class TrafficTest {
    private static final int SERVICES = 3;
    private static final long WORK_NANOS = 200_000;
    private static final int READ_LIMIT = 1_024;

    @TempDir
    private Path temporary;

    private TrialResult run(String engine, String transport, Shape shape, Load load) throws Exception {
        return run(engine, transport, shape, load, 1);
    }

    private TrialResult run(String engine, String transport, Shape shape, Load load, int loops) throws Exception {
        Map<String, String> options = switch (transport) {
            case "chronicle" ->
                Map.of("dir", Files.createDirectory(temporary.resolve("queues")).toString());
            case "aeron" -> Map.of("term-length", "64k", "driver-dir", temporary.toString());
            default -> Map.of();
        };
        Path results = Files.createDirectory(temporary.resolve("results"));
        return new ShortTrial(engine, transport, options, shape, load, LoopPlan.DEFAULT_IDLE)
                .run(results, "cooperative:" + loops);
    }

    /** Runs a trial over Chronicle whose queues are not removed. */
    private TrialResult kept(Path queues, Shape shape, Load load) throws Exception {
        Path results = Files.createDirectory(temporary.resolve("results"));
        return new ShortTrial(
                        "baton", "chronicle", Map.of("dir", queues.toString()), shape, load, LoopPlan.DEFAULT_IDLE)
                .keepingQueues(results);
    }

    @ParameterizedTest
    @CsvSource({
        "baton, disruptor",
        "reference, disruptor",
        "reference, chronicle",
        "reference, aeron",
        "reference-cooperative, disruptor",
        "reference-cooperative, chronicle",
        "reference-cooperative, aeron",
        "primitive, jctools-spsc",
        "primitive, agrona-ring"
    })
    void servicesOfEveryEngineWork(String engine, String transport) throws Exception {
        Shape shape = new Shape(SERVICES, 1, 0)
                .sized(Sizes.of("0..300"))
                .working(List.of(Work.of("200us"), Work.of("block:200us"), Work.of("200us")));

        TrialResult result = run(engine, transport, shape, new Load(200, Load.Arrivals.EVEN, 7));

        assertThat(result.delivery().isFaultless()).as("%s", result.outcome()).isTrue();
        assertThat(result.delivery().delivered()).isPositive();
        assertThat(result.service().find(50).orElseThrow().nanos()).isGreaterThan(SERVICES * WORK_NANOS);
    }

    /** Returns the messages of the first topic of each instance, whose queues a trial has left behind. */
    private Map<String, List<Sent>> sent(Path queues) {
        Map<String, List<Sent>> sent = new TreeMap<>();
        try (Transport transport = new ChronicleProvider().openForInspection(Map.of("dir", queues.toString()))) {
            for (String topic : transport.topics()) {
                if (!topic.endsWith("-0")) {
                    continue;
                }
                List<Sent> messages = sent.computeIfAbsent(topic, first -> new ArrayList<>());
                try (TopicInspector inspector = transport.inspect(topic)) {
                    while (inspector.read(
                                    (frame, position) -> {
                                        frame.validate();
                                        byte[] key = Extension.copy(frame, Extension.KEY);
                                        messages.add(
                                                new Sent(key == null ? null : new BigInteger(key), frame.length()));
                                        return FrameHandler.Verdict.DONE;
                                    },
                                    READ_LIMIT)
                            > 0) {
                        // continues with the next frames
                    }
                }
            }
        }
        return sent;
    }

    private record Sent(BigInteger key, int bytes) {}

    @Test
    void recordedTrafficArrivesWithItsLengths() throws Exception {
        Path file = Files.writeString(temporary.resolve("recorded.csv"), "1000000,300\n0,20\n3000000,1000\n");
        Load.Replay replay = new Load.Replay(DataFile.of(file, true), 2);
        Load load = Load.replaying(replay, 4_000_000, 7);
        Shape shape = new Shape(SERVICES, 2, 0).sized(Sizes.of(replay.file()));
        Path queues = Files.createDirectory(temporary.resolve("kept"));

        TrialResult result = kept(queues, shape, load);

        assertThat(load.ratePerSecond()).isEqualTo(1_500);
        assertThat(result.delivery().isFaultless()).as("%s", result.outcome()).isTrue();
        assertThat(result.delivery().sent()).isBetween(1_190L, 1_210L); // 2 instances, 0.4 s
        assertThat(result.plan().shape().payloadBytes()).isEqualTo(1_000);
        List<List<Integer>> lengths = sent(queues).values().stream()
                .map(messages -> messages.stream().map(Sent::bytes).toList())
                .toList();
        assertThat(lengths).hasSize(2);
        assertThat(lengths).anySatisfy(first -> assertThat(first).startsWith(300, 20, 1_000, 300, 20, 1_000));
        assertThat(lengths).anySatisfy(second -> assertThat(second).startsWith(20, 1_000, 300, 20, 1_000, 300));
    }

    @Test
    void messagesWithKeysArrive() throws Exception {
        Shape shape = new Shape(SERVICES, 1, 30).keyed(new Keys(100, 1.1, 1));
        Path queues = Files.createDirectory(temporary.resolve("kept"));

        TrialResult result = kept(queues, shape, new Load(500, Load.Arrivals.EVEN, 7));

        assertThat(result.delivery().isFaultless()).as("%s", result.outcome()).isTrue();
        assertThat(result.delivery().delivered()).isEqualTo(200);
        List<Sent> messages = sent(queues).values().iterator().next();
        Map<BigInteger, Long> counts =
                messages.stream().collect(Collectors.groupingBy(Sent::key, Collectors.counting()));
        assertThat(counts)
                .hasSizeBetween(20, 100)
                .allSatisfy((key, count) -> assertThat(key).isBetween(BigInteger.ZERO, BigInteger.valueOf(99)));
        assertThat(counts.get(BigInteger.ZERO)).as("the most frequent key").isBetween(30L, 75L); // of 200, about 1 in 4
        assertThat(messages).allMatch(message -> message.bytes() == 30);
    }

    @ParameterizedTest
    @CsvSource({"disruptor, 1", "disruptor, 2", "chronicle, 2", "aeron, 1"})
    void keysAreDistributedOverPartitions(String transport, int loops) throws Exception {
        Shape shape = new Shape(SERVICES, 2, 30).keyed(new Keys(100, 0, 3));
        Load load = new Load(1_000, Load.Arrivals.EVEN, 7).sentFrom(Load.Generator.THREAD);

        TrialResult result = run("baton", transport, shape, load, loops);

        assertThat(result.delivery().isFaultless()).as("%s", result.outcome()).isTrue();
        assertThat(result.delivery().delivered()).isEqualTo(800);
        assertThat(result.rate().partitions())
                .hasSize(3)
                .allSatisfy(each -> assertThat(each.count()).as("%s", each).isBetween(100L, 300L));
        assertThat(result.rate().partitions().stream()
                        .mapToLong(Rate.Partition::count)
                        .sum())
                .isEqualTo(600);
    }

    @Test
    void partitionsRunSaturated() throws Exception {
        Shape shape = new Shape(SERVICES, 1, 0).keyed(new Keys(1_000, 1.1, 4));
        Load load = Load.saturating(7).sentFrom(Load.Generator.THREAD);

        TrialResult result = run("baton", "disruptor", shape, load, 2);

        assertThat(result.delivery().isFaultless()).as("%s", result.outcome()).isTrue();
        assertThat(result.delivery().delivered())
                .isEqualTo(result.delivery().sent())
                .isPositive();
    }

    @ParameterizedTest
    @CsvSource({"baton", "reference", "reference-cooperative"})
    void idleChainsPassWithoutMessages(String engine) throws Exception {
        TrialResult result = run(engine, "disruptor", new Shape(SERVICES, 1, 0), Load.none(7));
        assertThat(result.outcome().verdict()).as("%s", result.outcome()).isEqualTo(Verdict.PASS);
        assertThat(result.delivery().sent()).isZero();
        assertThat(result.machine().chainCpuCores()).isNotNull();
    }
}
