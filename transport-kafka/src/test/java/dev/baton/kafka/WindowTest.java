package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Connection;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is committed and not yet stored is bounded, in frames and in bytes, and no flush waits for the broker. */
class WindowTest extends OnBroker {
    private static final int WINDOW = 8;

    @Test
    void writerIsRefusedWhileItsWindowIsUnstored() {
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.WINDOW, WINDOW)
                .with(KafkaOptions.LINGER, Duration.ofMillis(500))); // keeps the frames back
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        for (int i = 0; i < WINDOW; i++) {
            assertThat(topic.writer().remainingCapacity()).isEqualTo(WINDOW - i);
            topic.write("frame");
        }

        assertThat(topic.writer().remainingCapacity()).isZero();
        assertThat(topic.writer().claim(1)).isNull();
        topic.awaitStored();
        assertThat(topic.writer().remainingCapacity()).isEqualTo(WINDOW);
    }

    @Test
    void acknowledgementWakesALoopWithoutRoom() {
        KafkaTransport transport = transport(
                options -> options.with(KafkaOptions.WINDOW, 1).with(KafkaOptions.LINGER, Duration.ofMillis(200)));
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.write("frame");
        assertThat(topic.writer().remainingCapacity()).isZero();

        long start = System.nanoTime();
        while (topic.writer().remainingCapacity() == 0) {
            connection.await(Duration.ofSeconds(15).toNanos());
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void flushBeyondProducerMemoryDoesNotWait() {
        int frames = 24;
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.BUFFER, 4 << 20));
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        byte[] large = new byte[transport.maxPayload()];
        for (int i = 0; i < frames; i++) {
            topic.commit(large, 0, 0, 0, 0, 0);
        }

        topic.writer().flush();
        assertThat(topic.writer().remainingCapacity())
                .as("while some have not been sent")
                .isZero();
        Recorder read = topic.read(frames);
        assertThat(read.sequences())
                .isEqualTo(LongStream.rangeClosed(1, frames).boxed().toList());
        assertThat(read.frames()).allMatch(frame -> frame.payload().length == large.length);
    }

    @Test
    void smallFramesShareTheProducersMemory() {
        int frames = 100;
        // The buffer holds eight batches: one of the writer's marker may not be free yet.
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.BUFFER, 8 << 20)
                .with(KafkaOptions.BATCH_SIZE, 1 << 20)
                .with(KafkaOptions.LINGER, Duration.ofSeconds(1)));
        TopicProbe topic = probe(newTopic(transport), connect(transport));
        int window = topic.writer().remainingCapacity();
        for (int i = 0; i < frames; i++) {
            topic.commit("frame");
        }

        topic.writer().flush();
        assertThat(topic.writer().remainingCapacity())
                .as("0 if some have not been sent; more when some are acknowledged already")
                .isGreaterThanOrEqualTo(window - frames);
    }

    @Test
    void closingSendsWhatProducerHadNoMemoryFor() {
        int frames = 12;
        KafkaTransport transport = transport(options -> options.with(KafkaOptions.BUFFER, 4 << 20));
        String name = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(name, connection);
            byte[] large = new byte[transport.maxPayload()];
            for (int i = 0; i < frames; i++) {
                topic.commit(large, 0, 0, 0, 0, 0);
            }
        }

        assertThat(connect(transport).openWriter(name).sequence()).isEqualTo(frames);
    }
}
