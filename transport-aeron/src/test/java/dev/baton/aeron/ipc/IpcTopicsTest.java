package dev.baton.aeron.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.driver.TopicDriver;
import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import io.aeron.ErrorCode;
import io.aeron.exceptions.RegistrationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IpcTopicsTest {
    @TempDir
    Path directory;

    @Test
    void aConsumerWithoutAReaderHoldsNoFrames() {
        IpcTopics topics = IpcTopics.open(
                AeronOptions.defaults().withTermLength(AeronOptions.LEAST_TERM).withDirectory(directory));
        try (Connection connection = topics.connect()) {
            topics.create(List.of("t"));
            AeronTopic topic = topics.topic("t");
            topic.withdraw(topic.openConsumer("failed"));
            TopicWriter writer = connection.openWriter("t");
            writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
            writer.commit(Long.BYTES);
            writer.flush();

            List<Long> received = new ArrayList<>();
            TopicReader reader = connection.openReader("t", "c");
            while (received.isEmpty()) {
                reader.poll(
                        (frame, position) -> {
                            received.add(frame.sequence());
                            return Verdict.DONE;
                        },
                        1);
            }
            assertThat(received).containsExactly(1L);
            reader.acknowledge(1);
            reader.close();
            // One that had a reader keeps what it needs, although opening it again failed.
            topic.withdraw(topic.openConsumer("c"));
            assertThat(connection.openReader("t", "c").found().acknowledged()).isEqualTo(1);
            assertThat(topic.forgetConsumer("failed")).isFalse();
        } finally {
            topics.close();
        }
    }

    @Test
    void directoriesWithoutSpaceAreRefused() {
        assertThatThrownBy(() -> EmbeddedDriver.checkSpace(directory, 20 << 20, (45 << 20) - 1))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("driver-dir=" + directory, "20m bytes free", "takes 45m", "another directory");
    }

    @Test
    void refusalsForLackOfSpaceNameTheRemedies() {
        RegistrationException full = new RegistrationException(1, 12, ErrorCode.STORAGE_SPACE, "usable=0 in /dev/shm");
        assertThat(TopicDriver.refused("create topic 't'", full, EmbeddedDriver.MORE_MEMORY))
                .hasMessageContainingAll("create topic 't'", "usable=0", "term-length", "driver-dir");
        assertThat(TopicDriver.refused("create topic 't'", full, DriverClient.moreMemory("a topic")))
                .hasMessageContainingAll("usable=0", "where the media driver has its directory", "a topic takes three");
        assertThat(TopicDriver.refused(
                        "create topic 't'", new IllegalStateException("another"), EmbeddedDriver.MORE_MEMORY))
                .hasMessage("Aeron cannot create topic 't': another");
    }
}
