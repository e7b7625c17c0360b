package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.StartPosition;
import dev.baton.spi.StartPosition.Kind;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract on start positions: a consumer starts at the given position, whatever it had acknowledged, and the position is stored. A
 * position that the transport does not support, or the topic does not hold, is refused and moves no consumer.
 */
public abstract class StartTck extends TransportTck {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Called by the test of a transport. */
    protected StartTck() {}

    @Test
    void aNewConsumerStartsAtASequence() {
        requires(Kind.SEQUENCE);
        TopicProbe topic = written("a", "b", "c", "d");

        TopicReader reader = start(topic, "other", StartPosition.sequence(3));
        assertThat(reader.found().acknowledged()).isIn(TopicReader.UNKNOWN, 2L);
        assertThat(topic.read(reader, 2).texts()).containsExactly("c", "d");
    }

    @Test
    void everySequenceOfSeveralBatchesIsFound() {
        requires(Kind.SEQUENCE);
        TopicProbe topic = openTopic();
        for (int batch = 0; batch < 10; batch++) {
            topic.write("batch " + batch, "its second", "its third");
        }
        topic.awaitStored();
        for (int sequence = 1; sequence <= 30; sequence += 4) {
            TopicReader reader = start(topic, "at-" + sequence, StartPosition.sequence(sequence));
            assertThat(topic.read(reader, 1).sequences()).containsExactly((long) sequence);
            reader.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void consumerIsMovedBackAcrossARestart(Restart what) {
        requires(Kind.EARLIEST);
        TopicProbe topic = written("a", "b", "c");
        take(topic, "moved", 3);
        start(topic, "moved", StartPosition.earliest()).close();
        restart(what);

        TopicProbe again = probe(topic.name());
        assertThat(again.read(connection().openReader(topic.name(), "moved"), 3).texts())
                .as("what a consumer reads that was moved and opened again")
                .containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void consumerIsMovedForwardAcrossARestart(Restart what) {
        requires(Kind.LATEST);
        TopicProbe topic = written("a", "b", "c");
        take(topic, "moved", 1);
        start(topic, "moved", StartPosition.latest()).close();
        restart(what);

        TopicProbe again = probe(topic.name());
        TopicReader reader = connection().openReader(topic.name(), "moved");
        again.write("d");
        assertThat(again.read(reader, 1).texts()).containsExactly("d");
    }

    @Test
    void aMovedConsumerGoesOnAndAcknowledges() {
        requires(Kind.SEQUENCE);
        TopicProbe topic = written("a", "b", "c", "d");
        TopicReader reader = start(topic, "moved", StartPosition.sequence(2));
        reader.acknowledge(topic.read(reader, 2).lastPosition());
        reader.close();

        reader = connection().openReader(topic.name(), "moved");
        assertThat(topic.read(reader, 1).texts()).containsExactly("d");
    }

    @Test
    void movingAConsumerMovesNoOther() {
        requires(Kind.EARLIEST);
        TopicProbe topic = written("a", "b");
        take(topic, "stays", 1);
        start(topic, "other", StartPosition.earliest());

        assertThat(topic.read(connection().openReader(topic.name(), "stays"), 1).texts())
                .containsExactly("b");
    }

    @Test
    void endOfAnEmptyTopicIsItsBeginning() {
        requires(Kind.LATEST);
        TopicProbe topic = openTopic();
        TopicReader latest = start(topic, "latest", StartPosition.latest());
        TopicReader first = start(topic, "first", StartPosition.sequence(1));
        topic.write("a");

        assertThat(topic.read(latest, 1).texts()).containsExactly("a");
        assertThat(topic.read(first, 1).texts()).containsExactly("a");
    }

    @Test
    void sequenceBehindTheNewestFrameIsTheEnd() {
        requires(Kind.SEQUENCE);
        TopicProbe topic = written("a", "b");
        TopicReader reader = start(topic, "other", StartPosition.sequence(3));
        topic.write("c");

        assertThat(topic.read(reader, 1).texts()).containsExactly("c");
    }

    @Test
    void futureSequenceIsRefusedAndMovesNoConsumer() {
        requires(Kind.SEQUENCE);
        TopicProbe topic = written("a", "b");
        take(topic, "other", 1);

        assertThatThrownBy(() -> start(topic, "other", StartPosition.sequence(17)), "a start behind the end")
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(topic.name(), "sequence 17", "newest frame has sequence 2");
        assertThat(topic.read(connection().openReader(topic.name(), "other"), 1).texts())
                .containsExactly("b");
    }

    @Test
    void consumerStartsAtATime() {
        requires(Kind.TIME);
        TopicProbe topic = openTopic();
        long base = System.nanoTime() - 100 * SECOND;
        for (int i = 0; i < 12; i++) {
            topic.commit(("at " + i).getBytes(StandardCharsets.UTF_8), 0, 0, 0, base, base + i * SECOND);
            if (i % 3 == 2) {
                topic.writer().flush();
            }
        }
        topic.awaitStored();
        long offset = topic.writer().incarnation().wallOffsetNanos();

        assertThat(firstAt(topic, "exact", base + 7 * SECOND + offset)).isEqualTo("at 7");
        assertThat(firstAt(topic, "between", base + 7 * SECOND + 1 + offset)).isEqualTo("at 8");
        assertThat(firstAt(topic, "all", base - SECOND + offset)).isEqualTo("at 0");
        TopicReader none = start(topic, "none", at(base + 11 * SECOND + 1 + offset));
        topic.write("later");
        assertThat(topic.read(none, 1).texts()).containsExactly("later");
    }

    private String firstAt(TopicProbe topic, String consumer, long epochNanos) {
        return topic.read(start(topic, consumer, at(epochNanos)), 1).texts().get(0);
    }

    private static StartPosition at(long epochNanos) {
        return StartPosition.time(Instant.ofEpochSecond(0, epochNanos));
    }

    @Test
    void aLiveReaderIsNotMovedAway() {
        requires(Kind.EARLIEST);
        assumeTrue(fixture().refusesSecondReader(), "cannot tell");
        TopicProbe topic = written("a", "b");
        assertThat(topic.read(1).texts()).containsExactly("a");

        assertThatThrownBy(() -> start(topic, TopicProbe.CONSUMER, StartPosition.latest()), "a second live reader")
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(topic.name(), TopicProbe.CONSUMER);
        assertThat(topic.read(1).texts()).containsExactly("b");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void unsupportedKindOfPositionIsRefused(Kind kind) {
        assumeTrue(!transport().startPositions().contains(kind), "it is known");
        TopicProbe topic = written("a");
        StartPosition from = switch (kind) {
            case STORED -> StartPosition.stored();
            case EARLIEST -> StartPosition.earliest();
            case LATEST -> StartPosition.latest();
            case SEQUENCE -> StartPosition.sequence(1);
            case TIME -> StartPosition.time(Instant.EPOCH);
        };

        assertThatThrownBy(() -> start(topic, "other", from), "a start at %s", from)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(from.toString());
    }

    @Test
    void aTapBeginsWhereItIsTold() {
        requires(Kind.SEQUENCE);
        TopicProbe topic = written("a", "b", "c");
        List<Long> seen = new CopyOnWriteArrayList<>();
        try (Loops loops = Loops.cooperative(1);
                RunningChain tap = Chain.tap("tap", topic.name())
                        .on(transport())
                        .with(loops)
                        .startAt(StartPosition.sequence(2))
                        .onOutput(message -> seen.add(message.sequence()))
                        .start()) {
            turns().until("two messages", "a tap gets every message from its start on", () -> seen.size() == 2);
            assertThat(tap.failure()).isEmpty();
        }
        assertThat(seen).containsExactly(2L, 3L);
    }

    @Test
    void chainIgnoresItsStartPositionAfterOutputs() {
        requires(Kind.SEQUENCE);
        TopicProbe topic = written("a", "b", "c");
        Chain chain = Chain.named(topic.name() + "-again")
                .from(topic.name())
                .then("copy", () -> (in, out) -> out.forward(in))
                .build();
        String copies = chain.topic(0, 1);
        try (Loops loops = Loops.cooperative(1)) {
            Deployment deployment = chain.on(transport()).with(loops).startAt(StartPosition.sequence(2));
            TopicProbe sent = probe(copies);
            try (RunningChain first = deployment.start()) {
                assertThat(sent.read(2).texts()).containsExactly("b", "c");
                assertThat(first.failure()).isEmpty();
            }
            topic.write("d");
            topic.awaitStored();
            try (RunningChain again = deployment.start()) {
                assertThat(sent.read(1).texts())
                        .as("its outputs after the restart")
                        .containsExactly("d");
                assertThat(again.failure()).isEmpty();
            }

            Deployment back = chain.on(transport()).with(loops).startAt(StartPosition.earliest());
            assertThatThrownBy(back::start, "a start elsewhere of a chain that has sent something")
                    .isInstanceOf(TopicMismatchException.class)
                    .hasMessageContainingAll(copies, "earliest");
        }
    }

    private void requires(Kind kind) {
        assumeTrue(transport().startPositions().contains(kind), "cannot start there");
    }

    private TopicReader start(TopicProbe topic, String consumer, StartPosition from) {
        return connection().openReader(topic.name(), consumer, from);
    }

    private void take(TopicProbe topic, String consumer, int count) {
        TopicReader reader = connection().openReader(topic.name(), consumer);
        reader.acknowledge(topic.read(reader, count).lastPosition());
        reader.close();
    }

    private TopicProbe written(String... texts) {
        TopicProbe topic = openTopic();
        topic.write(texts);
        topic.awaitStored();
        return topic;
    }
}
