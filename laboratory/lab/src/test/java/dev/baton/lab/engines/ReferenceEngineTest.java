package dev.baton.lab.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.KafkaTransport;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.lab.request.Load;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Transport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole trials over the hand-written loops. */
@Tag("long")
class ReferenceEngineTest {
    @TempDir
    private Path temporary;

    private Path results;

    @BeforeEach
    void makeResults() throws Exception {
        results = Files.createDirectory(temporary.resolve("results"));
    }

    @AfterEach
    void noThreadIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("reference-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "yielding", "park:50us"})
    void ringsCarryEveryMessageToTheEnd(String idle) {
        TrialResult result = ShortTrial.of(Subject.REFERENCE, "disruptor", Map.of())
                .withIdle(idle)
                .run(results);
        everyMessageArrived(result);
        assertThat(result.transport().properties()).containsKeys("engine", "threads", "durability", "version");
    }

    @Test
    void queuesCarryAllMessagesAndAreRemoved() {
        Path queues = temporary.resolve("queues");
        TrialResult result = ShortTrial.of(
                        Subject.REFERENCE, "chronicle", Map.of("dir", queues.toString(), "batch", "16"))
                .run(results);
        everyMessageArrived(result);
        assertThat(result.transport().properties().get("configuration"))
                .contains("block size 262144", "these loops have no batch");
        assertThat(queues).isDirectoryNotContaining("glob:**/reference-*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "park:50us"})
    void streamsCarryAllMessagesAndLeaveNoFile(String idle) {
        TrialResult result = ShortTrial.of(
                        Subject.REFERENCE,
                        "aeron",
                        Map.of("term-length", "64k", "max-payload", "1k", "driver-dir", temporary.toString()))
                .withIdle(idle)
                .run(results);
        everyMessageArrived(result);
        assertThat(result.transport().properties().get("configuration"))
                .contains("tryClaim", "term length 65536 and MTU 8192", "these loops have no max-payload");
        assertThat(result.transport().properties().get("version")).startsWith("Aeron ");
        assertThat(temporary).isDirectoryNotContaining("glob:**/baton-aeron-*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "spin"})
    void articleQueuesCarryAllMessages(String idle) {
        Path queues = temporary.resolve("queues");
        TrialResult result = ShortTrial.of(Subject.REFERENCE_ARTICLE, "chronicle", Map.of("dir", queues.toString()))
                .withoutPayload()
                .withIdle(idle)
                .run(results);
        everyMessageArrived(result);
        assertThat(result.transport().properties().get("configuration")).contains("the builder's own defaults");
        assertThat(result.transport().properties().get("threads")).contains("one that sends and receives");
        assertThat(queues).isDirectoryNotContaining("glob:**/reference-*");
    }

    @Test
    void articleLoopsSaturate() {
        Path queues = temporary.resolve("queues");
        TrialResult result = ShortTrial.of(Subject.REFERENCE_ARTICLE, "chronicle", Map.of("dir", queues.toString()))
                .withoutPayload()
                .with(Load.saturating(3))
                .run(results);
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().delivered())
                .isEqualTo(result.delivery().sent())
                .isPositive();
    }

    @Test
    void theArticlesMessagesHaveNoPayload() {
        refused(
                ShortTrial.of(
                        Subject.REFERENCE_ARTICLE,
                        "chronicle",
                        Map.of("dir", temporary.resolve("queues").toString())),
                "no payload; omit --payload");
    }

    @Test
    @Tag("slow")
    void topicsCarryAllMessagesAndAreDeleted() {
        try (EmbeddedKafka broker = EmbeddedKafka.start()) {
            Map<String, String> options = Map.of("bootstrap-servers", broker.bootstrapServers());
            for (String engine : List.of(Subject.REFERENCE, Subject.REFERENCE_ARTICLE)) {
                ShortTrial trial = ShortTrial.of(engine, "kafka", options);
                TrialResult result = (engine.equals(Subject.REFERENCE) ? trial : trial.withoutPayload()).run(results);
                everyMessageArrived(result);
                assertThat(result.transport().properties().get("threads"))
                        .contains(engine.equals(Subject.REFERENCE) ? "call poll(1000 us)" : "truncates to 0 ms");
                assertThat(result.transport().properties().get("acknowledgement"))
                        .startsWith(engine.equals(Subject.REFERENCE) ? "acks=all" : "acks=1");
            }
            try (Transport kafka = KafkaTransport.at(broker.bootstrapServers())) {
                assertThat(kafka.topics()).noneMatch(name -> name.startsWith("reference-"));
            }
        }
    }

    @Test
    void transportWithoutReferenceLoopsIsRefused() {
        refused(ShortTrial.of(Subject.REFERENCE, "pigeon", Map.of()), "engine reference has no loops for pigeon;");
        refused(
                ShortTrial.of(Subject.REFERENCE_ARTICLE, "disruptor", Map.of()),
                "engine reference-article has no loops for disruptor; it has some for chronicle, kafka");
        refused(ShortTrial.of("steam", "disruptor", Map.of()), "unknown engine 'steam'; known: baton, reference,");
        refused(
                ShortTrial.of(Subject.REFERENCE, "disruptor", Map.of()).withIdle("backoff"),
                "the reference loops have no idle strategy 'backoff'; known: default, spin");
        refused(
                ShortTrial.of(Subject.REFERENCE, "disruptor", Map.of("max-payload", "20")),
                "a payload of 21 bytes; disruptor carries up to 20");
    }

    private void refused(ShortTrial trial, String text) {
        assertThatThrownBy(() -> trial.run(results))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(CommandException.Kind.USAGE))
                .hasMessageContaining(text);
    }

    private static void everyMessageArrived(TrialResult result) {
        assertThat(result.delivery().incidents()).isEmpty();
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().sent())
                .isEqualTo(result.delivery().delivered())
                .isEqualTo(400);
    }
}
