package dev.baton.aeron.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.TestDriver;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.exceptions.RegistrationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class TopicStreamTest {
    @Test
    void eachCorrelationIdIsItsOwnStream() {
        for (long unique : new long[] {0, 1, 0xFFFF_FFFFL, 1L << 32, (1L << 32) + 1, Long.MAX_VALUE}) {
            TopicStream stream = TopicStream.of(unique);
            long back = (long) stream.session() << Integer.SIZE
                    | Integer.toUnsignedLong(stream.id() ^ TopicStream.of(0).id());
            assertThat(back).isEqualTo(unique);
        }
    }

    @Test
    void aStreamExcludesOtherPublications() {
        TestDriver driver = TestDriver.start(Duration.ofMinutes(1));
        AeronOptions options = driver.options();
        IpcTopics topics = IpcTopics.open(options);
        topics.create(List.of("t"));
        try (Connection connection = topics.connect();
                Aeron foreign = Aeron.connect(new Aeron.Context()
                        .aeronDirectoryName(driver.directory().toString()))) {
            TopicStream stream = topics.topic("t").stream;
            assertThatThrownBy(() -> foreign.addExclusivePublication(stream.publication(options), stream.id()))
                    .isInstanceOf(RegistrationException.class)
                    .hasMessageContaining("session");
            try (Subscription listener = foreign.addSubscription("aeron:ipc?session-id=77", stream.id());
                    ExclusivePublication sameId =
                            foreign.addExclusivePublication("aeron:ipc?session-id=77", stream.id())) {
                await().until(sameId::isConnected);
                assertThat(sameId.offer(new UnsafeBuffer(new byte[64]))).isPositive();
                TopicWriter writer = connection.openWriter("t");
                TopicReader reader = connection.openReader("t", "c");
                Frame frame = writer.claim(Long.BYTES);
                frame.stamp(0, 0, 0, 0, 0);
                frame.putLong(0, 5);
                writer.commit(Long.BYTES);
                writer.flush();
                List<Long> received = new ArrayList<>();
                reader.poll(
                        (each, position) -> {
                            received.add(each.getLong(0));
                            return Verdict.DONE;
                        },
                        Integer.MAX_VALUE);
                assertThat(received).containsExactly(5L);
                await().until(() -> listener.poll((buffer, at, length, header) -> {}, 10) == 1);
            }
        } finally {
            topics.close();
            driver.close();
        }
    }
}
