package dev.baton.lab.engines.cooperative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
        Place place = new Place(results.toString(), null, null, null, null, null);
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
