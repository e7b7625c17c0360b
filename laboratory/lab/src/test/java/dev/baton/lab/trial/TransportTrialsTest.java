package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two seconds of the main job over each transport, with payloads that are checked. */
@Tag("slow")
class TransportTrialsTest {
    @TempDir
    Path results;

    @TempDir
    Path queues;

    @Test
    void theDisruptorDeliversAll() throws IOException {
        deliversAll("disruptor", Map.of(), "cooperative:1");
    }

    @Test
    void theDisruptorDeliversAllBetweenThreads() throws IOException {
        deliversAll("disruptor", Map.of(), "per-service");
    }

    @Test
    void chronicleDeliversAll() throws IOException {
        deliversAll("chronicle", Map.of("dir", queues.toString()), "cooperative:1");
        assertThat(queues.toFile().list()).allMatch(name -> name.startsWith(".")); // its lock, but no topic
    }

    @Test
    @Tag("slow")
    void kafkaDeliversAll() throws IOException {
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            deliversAll("kafka", Map.of("bootstrap-servers", kafka.bootstrapServers(), "acks", "1"), "cooperative:1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Subject.BATON, Subject.REFERENCE, Subject.REFERENCE_COOPERATIVE})
    void keptQueuesStay(String engine) {
        keeps(engine, "chronicle", Map.of("dir", queues.toString()));

        assertThat(queues.toFile().list())
                .filteredOn(name -> !name.startsWith("."))
                .hasSize(2);
    }

    @Test
    @Tag("slow")
    void keptTopicsStay() throws IOException {
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            Map<String, String> options = Map.of("bootstrap-servers", kafka.bootstrapServers(), "acks", "1");
            for (String engine : List.of(Subject.BATON, Subject.REFERENCE, Subject.REFERENCE_COOPERATIVE)) {
                keeps(engine, "kafka", options);
            }
            try (Transport transport = Transports.named("kafka").open(options)) {
                assertThat(transport.topics()).hasSize(3 * 2);
            }
        }
    }

    /** Runs a trial of one service whose place keeps its topics. */
    private void keeps(String engine, String transport, Map<String, String> options) {
        PlacedTrial trial =
                Plans.of(results, transport, options, new Shape(1, 1, 0), Plans.EVEN_1000, "cooperative:1", 50);
        TrialPlan plan = trial.plan();
        TrialPlan ofEngine = new TrialPlan(
                engine + "-" + transport,
                new Subject(engine, transport, options),
                plan.shape(),
                plan.load(),
                plan.loops(),
                new Phases(50_000_000, 50_000_000, 2_000_000_000),
                List.of());
        Place place = new Place(results.toString(), null, null, null, null, null, true);

        TrialResult result = new TrialRunner(new PlacedTrial(ofEngine, place), ChainWorkload::open, event -> {}).run();

        assertThat(result.delivery().delivered()).isPositive();
    }

    private void deliversAll(String transport, Map<String, String> options, String threading) throws IOException {
        PlacedTrial plan =
                Plans.of(results, transport, options, new Shape(5, 2, 20), Plans.EVEN_1000, threading, 2_000);
        TrialResult result = new TrialRunner(plan, ChainWorkload::open, event -> {}).run();

        assertThat(result.delivery().sent()).isBetween(4_990L, 5_010L);
        assertThat(result.delivery().isFaultless()).as("%s", result.outcome()).isTrue();
        assertThat(result.delivery().delivered()).isEqualTo(result.delivery().sent());
        assertThat(result.delivery().unsent()).isZero();
        assertThat(result.response().count()).isEqualTo(4_000);
        assertThat(result.outcome().verdict()).isNotEqualTo(Verdict.INTERRUPTED);
        assertThat(result.transport().properties()).isNotEmpty();
        assertThat(ResultFolder.readTrial(results.resolve(transport + "-1.trial.json")))
                .isEqualTo(result);
    }
}
