package dev.baton.disruptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a ring does beyond the contract of all transports. */
class RingTest {
    private static final int SLOTS = 8;

    private final DisruptorTransport transport = DisruptorTransport.create(
            DisruptorOptions.defaults().with(DisruptorOptions.SLOTS, SLOTS).with(DisruptorOptions.MAX_PAYLOAD, 8));
    private Connection connection = connectTo("topic");

    @AfterEach
    void close() {
        connection.close();
        transport.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 64})
    void aRingGoesRoundManyTimes(int slots) {
        try (DisruptorTransport own = DisruptorTransport.create(DisruptorOptions.defaults()
                        .with(DisruptorOptions.SLOTS, slots)
                        .with(DisruptorOptions.MAX_PAYLOAD, 8));
                Connection mine = connect(own, "round")) {
            TopicWriter writer = mine.openWriter("round");
            TopicReader reader = mine.openReader("round", "reader");
            SeededReader checked = new SeededReader();
            Random random = new Random(slots);
            while (checked.count() < 1000L * slots) {
                for (int i = random.nextInt(slots) + 1; i > 0 && writer.remainingCapacity() > 0; i--) {
                    SeededReader.write(writer);
                }
                writer.flush();
                if (reader.poll(checked, random.nextInt(slots) + 1) > 0) {
                    reader.acknowledge(checked.position());
                }
            }
        }
    }

    @Test
    void theSlowestOfTwoReadersHoldsTheWriter() {
        TopicWriter writer = connection.openWriter("topic");
        TopicReader fast = connection.openReader("topic", "fast");
        TopicReader slow = connection.openReader("topic", "slow");
        SeededReader fastSeen = new SeededReader();
        SeededReader slowSeen = new SeededReader();
        Random random = new Random(7);
        while (slowSeen.count() < 10_000) {
            while (writer.remainingCapacity() > 0) {
                SeededReader.write(writer);
            }
            assertThat(writer.sequence() - slowSeen.count()).isEqualTo(SLOTS);
            writer.flush();
            fast.poll(fastSeen, SLOTS);
            fast.acknowledge(fastSeen.position());
            slow.poll(slowSeen, 1 + random.nextInt(3));
            slow.acknowledge(slowSeen.position());
        }
        assertThat(fastSeen.count()).isGreaterThan(slowSeen.count());
    }

    @Test
    void aRingThatNobodyReadsHoldsEverything() {
        TopicWriter writer = connection.openWriter("topic");
        write(writer, SLOTS);
        assertThat(writer.remainingCapacity()).isZero();
        assertThat(writer.claim(0)).isNull();

        Recorder late = new Recorder();
        connection.openReader("topic", "late").poll(late, 100);
        assertThat(late.sequences())
                .isEqualTo(LongStream.rangeClosed(1, SLOTS).boxed().toList());
    }

    @Test
    void secondConsumersBeginAtTheOldestFrameHeld() {
        TopicWriter writer = connection.openWriter("topic");
        TopicReader first = connection.openReader("topic", "first");
        write(writer, SLOTS);
        read(first, 3);
        first.acknowledge(2);
        write(writer, 3);

        Recorder second = new Recorder();
        connection.openReader("topic", "second").poll(second, 100);
        assertThat(second.sequences())
                .isEqualTo(LongStream.rangeClosed(4, SLOTS + 3).boxed().toList());
    }

    @Test
    void newConsumersTakeNoPromisedRoom() {
        TopicWriter writer = connection.openWriter("topic");
        TopicReader first = connection.openReader("topic", "first");
        write(writer, SLOTS);
        read(first, SLOTS);
        first.acknowledge(SLOTS - 3);
        int promised = writer.remainingCapacity();
        assertThat(promised).isEqualTo(SLOTS - 2);
        connection.openReader("topic", "second");

        for (int i = 0; i < promised; i++) {
            assertThat(writer.claim(0)).isNotNull();
            writer.commit(0);
        }
        assertThat(writer.claim(0)).isNull();
    }

    @Test
    void nextWriterFindsTheFrameBeforeALap() {
        TopicWriter writer = connection.openWriter("topic");
        TopicReader reader = connection.openReader("topic", "reader");
        write(writer, RingWriter.LAP - 1);
        Frame last = writer.claim(8);
        last.stamp(3, 4, 77, 5, 6);
        writer.commit(8);
        writer.flush();
        read(reader, RingWriter.LAP);
        reader.acknowledge(RingWriter.LAP - 1);
        publishElsewhere(connection, transport);
        for (int i = 0; i < SLOTS; i++) {
            writer.claim(8).stamp(0, 0, 99, 0, 0); // takes every slot
            writer.commit(8);
        }
        writer.rewind(RingWriter.LAP);
        writer.close();

        TopicEnd found = connection.openWriter("topic").found();
        assertThat(found.cause()).isEqualTo(77);
        assertThat(found.originNanos()).isEqualTo(5);
    }

    @Test
    void lapBeginsOnlyAfterPublicationsOfOtherTopics() {
        try (DisruptorTransport own = DisruptorTransport.create(DisruptorOptions.defaults()
                        .with(DisruptorOptions.SLOTS, 8 * RingWriter.LAP)
                        .with(DisruptorOptions.MAX_PAYLOAD, 8));
                Connection mine = connect(own, "topic")) {
            TopicWriter writer = mine.openWriter("topic");
            TopicReader reader = mine.openReader("topic", "reader");
            SlottedRing ring = own.ring("topic");
            for (int lap = 1; lap <= 3; lap++) {
                write(writer, RingWriter.LAP);
                read(reader, RingWriter.LAP);
                reader.acknowledge(lap * RingWriter.LAP - 1);
            }
            write(writer, 1);
            assertThat(ring.slotOf(ring.published())).isEqualTo(3 * RingWriter.LAP * ring.stride);
            read(reader, 1);
            reader.acknowledge(3 * RingWriter.LAP);
            write(writer, RingWriter.LAP - 1);
            read(reader, RingWriter.LAP - 1);
            reader.acknowledge(4 * RingWriter.LAP - 1);

            publishElsewhere(mine, own);
            write(writer, 1);

            assertThat(ring.slotOf(ring.published())).isZero();
        }
    }

    /** Publishes as many messages as a lap needs, in another topic of the connection. */
    private static void publishElsewhere(Connection connection, DisruptorTransport transport) {
        transport.createTopics(List.of("other"));
        try (TopicWriter writer = connection.openWriter("other");
                TopicReader reader = connection.openReader("other", "reader")) {
            for (int i = 0; i < RingWriter.OTHERS; i++) {
                write(writer, 1);
                read(reader, 1);
                reader.acknowledge(i);
            }
        }
    }

    @Test
    void consumersBehindKeepTheirFramesInALap() {
        TopicWriter writer = connection.openWriter("topic");
        TopicReader fast = connection.openReader("topic", "fast");
        TopicReader slow = connection.openReader("topic", "slow");
        SeededReader seen = new SeededReader();
        for (int i = 0; i < RingWriter.LAP; i++) {
            SeededReader.write(writer);
        }
        writer.flush();
        read(fast, SLOTS);
        fast.acknowledge(RingWriter.LAP - 1);
        slow.poll(seen, 1);
        slow.acknowledge(seen.position());
        publishElsewhere(connection, transport);
        SeededReader.write(writer); // into the slot of the only frame that both have
        writer.flush();

        slow.poll(seen, SLOTS);
        assertThat(seen.count()).isEqualTo(RingWriter.LAP + 1);
    }

    @Test
    void roomAskedTwiceIsExact() {
        TopicWriter writer = connection.openWriter("topic");
        TopicReader reader = connection.openReader("topic", "reader");
        write(writer, 2);
        read(reader, 2);
        reader.acknowledge(1);
        writer.remainingCapacity();

        assertThat(writer.remainingCapacity()).isEqualTo(SLOTS);
    }

    @Test
    void aConsumerHasOneReaderAtATime() {
        TopicReader reader = connection.openReader("topic", "reader");
        assertThatThrownBy(() -> connection.openReader("topic", "reader"))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("'reader'", "'topic'");
        reader.close();

        connection.openReader("topic", "reader").close();
    }

    @Test
    void aTopicInUseIsNotDeleted() {
        connection.openReader("topic", "reader");
        assertThatThrownBy(() -> transport.deleteTopics(List.of("topic")))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("'topic'");
        assertThat(transport.topics()).contains("topic");
    }

    @Test
    void anotherThreadMayWriteAfterClose() throws Exception {
        TopicReader reader = connection.openReader("topic", "reader");
        try (TopicWriter here = connection.openWriter("topic")) {
            write(here, 1);
        }
        Thread other = new Thread(() -> {
            try (Connection there = transport.connect()) {
                write(there.openWriter("topic"), 1);
            }
        });
        other.start();
        other.join();

        Recorder both = new Recorder();
        reader.poll(both, 10);
        assertThat(both.sequences()).as("a poll ends where the writer changes").containsExactly(1L);
        reader.poll(both, 10);
        assertThat(both.sequences()).containsExactly(1L, 2L);
    }

    @Test
    void aPollOfNothingIsRefused() {
        TopicReader reader = connection.openReader("topic", "reader");
        assertThatThrownBy(() -> reader.poll(new Recorder(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
    }

    @Test
    void aRewindUnderAnOpenClaimIsRefused() {
        TopicWriter writer = connection.openWriter("topic");
        writer.claim(4);
        assertThatThrownBy(() -> writer.rewind(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("open claim");
    }

    @Test
    void aClosedTransportOpensNothing() {
        transport.close();
        assertThatThrownBy(transport::connect)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> transport.createTopics(List.of("more")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private Connection connectTo(String topic) {
        return connect(transport, topic);
    }

    private static Connection connect(DisruptorTransport to, String topic) {
        to.createTopics(List.of(topic));
        return to.connect();
    }

    private static void read(TopicReader reader, int frames) {
        assertThat(reader.poll((frame, position) -> FrameHandler.Verdict.DONE, frames))
                .isEqualTo(frames);
    }

    private static void write(TopicWriter writer, int frames) {
        for (int i = 0; i < frames; i++) {
            Frame frame = writer.claim(0);
            frame.stamp(0, 0, 0, 0, 0);
            writer.commit(0);
        }
        writer.flush();
    }
}
