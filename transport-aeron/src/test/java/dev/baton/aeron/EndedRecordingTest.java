package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.ChainFailedException;
import dev.baton.RunningChain;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A recording that somebody stops ends its writer, and nothing else of the connection or of the loop. */
class EndedRecordingTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final String ended = "ended-" + UUID.randomUUID();
    private final String other = "other-" + UUID.randomUUID();

    private void stopRecording(String topic) {
        try (ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
            assertThat(session.archive()
                            .tryStopRecordingByIdentity(
                                    Catalog.topic(session, topic).id()))
                    .isTrue();
        }
    }

    @Test
    void onlyTheWriterOfAStoppedRecordingFails() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), ended)) {
            topic.transport.createTopics(List.of(other));
            TopicWriter stopped = topic.writer();
            TopicWriter untouched = topic.connection.openWriter(other);
            topic.store(stopped, 10, 8);
            assertThat(stopped.failure()).isNull();
            stopRecording(ended);

            topic.until("the end of the writer", () -> stopped.failure() != null); // takes turns, none of which throws
            assertThat(stopped.failure()).hasMessageContainingAll(ended, "does not record it any more");
            assertThatThrownBy(() -> stopped.claim(8)).isInstanceOf(TransportException.class);
            assertThat(untouched.failure()).isNull();
            topic.store(untouched, 10, 8);
            topic.connection.close();
            topic.transport.deleteTopics(List.of(ended, other));
        }
    }

    @Test
    void stoppedPositionsAreNamedWithTheirRecording() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), ended)) {
            TopicReader reader = topic.connection.openReader(ended, "c");
            long recording;
            try (ArchiveSession session = ArchiveSession.connect(TestArchive.options())) {
                recording = Catalog.consumers(session, ended).get("c").id();
                assertThat(session.archive().tryStopRecordingByIdentity(recording))
                        .isTrue();
            }
            topic.until("the end of the reader", () -> reader.failure() != null);
            assertThat(reader.failure())
                    .hasMessageContainingAll(
                            "consumer 'c'", "'" + ended + "' in recording " + recording, "open it again");
            topic.connection.close();
            topic.transport.deleteTopics(List.of(ended));
        }
    }

    @Test
    void onlyTheChainOfAStoppedRecordingFails() {
        try (ArchiveTransport transport = ArchiveTransport.open(TestArchive.options())) {
            try (Loops loops = Loops.cooperative(1);
                    RunningChain stopped = start(ended, transport, loops);
                    RunningChain untouched = start(other, transport, loops)) {
                stopped.inlet().send(new byte[Frame.HEADER_BYTES]);
                untouched.inlet().send(new byte[Frame.HEADER_BYTES]);
                stopRecording(ended + "-1");

                await().atMost(LIMIT).until(() -> stopped.failure().isPresent());
                assertThat(stopped.failure().orElseThrow()).hasMessageContainingAll(ended + "-1", "does not record");
                assertThatThrownBy(() -> stopped.inlet().send(new byte[1]))
                        .isInstanceOf(ChainFailedException.class)
                        .hasCauseInstanceOf(TransportException.class);
                untouched.inlet().send(new byte[1]);
                assertThat(untouched.close(LIMIT)).isTrue();
                assertThat(untouched.failure()).isEmpty();
            }
            transport.deleteTopics(transport.topics().stream()
                    .filter(topic -> topic.startsWith(ended) || topic.startsWith(other))
                    .toList());
        }
    }

    private static RunningChain start(String name, ArchiveTransport transport, Loops loops) {
        return Chain.named(name)
                .then("s1", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {})
                .start();
    }
}
