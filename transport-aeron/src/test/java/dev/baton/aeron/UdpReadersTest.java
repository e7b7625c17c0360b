package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.InputRef;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.LostTransportException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Causes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A writer's transport and those of readers, each with a media driver of its own, as processes on several hosts have. */
@Tag("long")
class UdpReadersTest {
    private static final int MANY = 5_000;

    private final UdpOptions options = UdpPorts.options().with(UdpOptions.CONSUMER_TIMEOUT, Duration.ZERO);
    private final Deque<UdpSide> opened = new ArrayDeque<>();

    @AfterEach
    void closeAll() {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    private UdpSide side(UdpOptions of) {
        UdpSide side = new UdpSide(of);
        opened.push(side);
        return side;
    }

    private void close(UdpSide side) {
        opened.remove(side);
        side.close();
    }

    private UdpOptions reading() {
        return options.with(UdpOptions.ROLE, UdpOptions.Role.READER);
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void lateReaderReceivesWhatItsTopicKept() {
        UdpSide writing = side(options);
        TopicWriter writer = writing.writer();
        writing.write(writer, 10);
        UdpSide reading = side(reading());
        TopicReader reader = writing.admit(reading);
        assertThat(reader.found().newest()).isEqualTo(10);
        assertThat(reader.found().identity()).isNotZero();

        assertThat(reading.read(reader, 10, writing)).isEqualTo(range(1, 10));
        assertThat(reader.writer()).isEqualTo(writer.incarnation());
        writing.write(writer, 5);
        assertThat(reading.read(reader, 15, writing)).isEqualTo(range(11, 15));
    }

    @Test
    void framesAfterARewindAnswerTheNewestInput() {
        UdpSide writing = side(options);
        TopicWriter writer = writing.writer();
        for (long input = 1; input <= 2; input++) {
            writer.answers(new InputRef(7, input));
            writer.claim(Long.BYTES).stamp(0, 0, 0, 0, 0);
            writer.commit(Long.BYTES);
        }
        writer.rewind(0);
        writing.write(writer, 1);
        writer.close();
        assertThat(writing.writer().found().input()).isEqualTo(new InputRef(7, 2));
    }

    @Test
    void readersInTwoProcessesReceiveEverything() {
        UdpSide writing = side(options);
        TopicWriter writer = writing.writer();
        UdpSide one = side(reading());
        UdpSide other = side(reading());
        TopicReader first = writing.admit(one);
        TopicReader second = writing.admit(other, "other", StartPosition.stored());
        List<Long> read = new ArrayList<>();
        List<Long> alsoRead = new ArrayList<>();
        writing.await(
                MANY + " frames by both",
                () -> {
                    if (writer.sequence() < MANY) {
                        UdpSide.offer(writer);
                    }
                    UdpSide.poll(first, read);
                    UdpSide.poll(second, alsoRead);
                    return read.size() == MANY && alsoRead.size() == MANY;
                },
                one,
                other);
        assertThat(read).isEqualTo(range(1, MANY));
        assertThat(alsoRead).isEqualTo(range(1, MANY));
    }

    @Test
    void readerWithoutPollsHoldsTheWriterBack() {
        UdpSide writing = side(options);
        TopicWriter writer = writing.writer();
        UdpSide reading = side(reading());
        TopicReader reader = writing.admit(reading);
        while (UdpSide.offer(writer)) {
            writing.connection.doWork();
        }
        long refusedAt = writer.sequence();
        for (int turn = 0; turn < 100; turn++) {
            writing.connection.doWork();
            reading.connection.doWork();
            assertThat(UdpSide.offer(writer)).isFalse();
        }
        assertThat(writer.slowestConsumer().frames()).isEqualTo(refusedAt);
        assertThat(reading.read(reader, refusedAt, writing)).isEqualTo(range(1, refusedAt));
        writing.await("room", () -> writer.remainingCapacity() > 0, reading);
    }

    @Test
    void consumerThatReturnsInTimeContinues() {
        UdpSide writing = side(options);
        TopicWriter writer = writing.writer();
        writing.write(writer, 3);
        UdpSide reading = side(reading());
        TopicReader reader = writing.admit(reading);
        assertThat(reading.read(reader, 3, writing)).hasSize(3);
        close(reading);
        writing.write(writer, 2);

        UdpSide again = side(reading());
        TopicReader back = writing.admit(again);
        assertThat(back.found().acknowledged()).isEqualTo(3);
        assertThat(again.read(back, 5, writing)).isEqualTo(range(4, 5));
    }

    @Test
    void closedReaderLeavesItsPositionAtOnce() {
        UdpSide writing = side(options.with(UdpOptions.CONSUMER_TIMEOUT, Duration.ofHours(1)));
        TopicWriter writer = writing.writer();
        writing.write(writer, 3);
        UdpSide reading = side(reading());
        TopicReader reader = writing.admit(reading);
        reading.read(reader, 3, writing);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> {
            opened.remove(reading);
            reading.close(); // the link, too, right behind the request
        });
        writing.await("the close", closed::isDone);
        closed.join();
        assertThat(writer.slowestConsumer()).isNull();
        assertThat(writing.transport().forgetConsumer(UdpSide.TOPIC, UdpSide.CONSUMER))
                .isTrue();
    }

    @Test
    void missedFramesAreNamedAtTheOpen() {
        UdpSide writing = side(options);
        TopicWriter writer = writing.writer();
        writing.write(writer, 3);
        UdpSide reading = side(reading());
        assertThat(reading.read(writing.admit(reading), 3, writing)).hasSize(3);
        close(reading);
        writing.write(writer, 3 * options.window() / 48);

        UdpSide again = side(reading());
        assertThatThrownBy(() -> writing.admit(again))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContainingAll("no longer has the frames 4 to ", "consumer c", "consumer-timeout=0");
        TopicReader later = writing.admit(again, UdpSide.CONSUMER, StartPosition.earliest());
        long first = later.found().acknowledged() + 1;
        assertThat(first).isGreaterThan(4);
        assertThat(again.read(later, writer.sequence(), writing)).isEqualTo(range(first, writer.sequence()));
    }

    @Test
    void rivalReaderInAnotherProcessIsRefused() {
        UdpSide writing = side(options);
        UdpSide reading = side(reading());
        TopicReader reader = writing.admit(reading);
        UdpSide rival = side(reading());
        assertThatThrownBy(() -> writing.admit(rival))
                .isInstanceOf(OccupiedException.class)
                .hasMessageContainingAll(UdpSide.TOPIC, "consumer c");
        assertThat(reader.failure()).isNull();
    }

    @Test
    void consumerOfASilentReaderIsTakenOver() {
        UdpSide writing = side(options);
        TopicWriter writer = writing.writer();
        try (TestDriver driver = TestDriver.start(Duration.ofMinutes(1));
                UdpSide suspended = new UdpSide(reading()
                        .with(UdpOptions.DRIVER, driver.directory())
                        .with(UdpOptions.TIMEOUT, Duration.ofSeconds(30)))) {
            TopicReader silent = writing.admit(suspended);
            driver.standStill();
            UdpSide reading = side(reading());
            TopicReader reader = writing.admit(reading);
            writing.write(writer, 2);
            assertThat(reading.read(reader, 2, writing)).isEqualTo(range(1, 2));

            driver.goOn();
            assertThat(suspended.failure(silent, writing)).isInstanceOf(ReplacedException.class);
            assertThatThrownBy(() -> silent.poll((frame, position) -> null, 1)).isInstanceOf(TransportException.class);
            failedReaderHoldsNobodyBack(writing, writer, suspended, reading, reader);
        }
    }

    /** The failed one is open, has turns, and is not polled. */
    private static void failedReaderHoldsNobodyBack(
            UdpSide writing, TopicWriter writer, UdpSide failed, UdpSide reading, TopicReader reader) {
        List<Long> read = new ArrayList<>();
        writing.await(
                MANY + " frames more",
                () -> {
                    UdpSide.offer(writer);
                    UdpSide.poll(reader, read);
                    return read.size() >= MANY;
                },
                failed,
                reading);
        assertThat(read).isEqualTo(range(3, read.size() + 2));
    }

    @Test
    void framesOfAFormerWriterKeepIt() {
        UdpSide writing = side(options);
        TopicWriter former = writing.writer();
        writing.write(former, 3);
        UdpSide reading = side(reading());
        assertThat(reading.read(writing.admit(reading), 3, writing)).hasSize(3);
        close(reading);
        writing.write(former, 1);
        former.close();
        TopicWriter next = writing.writer();
        int count = 3 * options.window() / 2 / FragmentLayout.stagedBytes(Long.BYTES);
        writing.write(next, count); // frame 4 is behind the window, but can be sent
        next.close();
        writing.writer();

        UdpSide again = side(reading());
        TopicReader reader = writing.admit(again);
        writing.await("frame 4", () -> reader.poll((frame, sequence) -> Verdict.DONE, 1) == 1, again);
        assertThat(reader.writer()).isEqualTo(former.incarnation());
        again.read(reader, 4 + count, writing);
        assertThat(reader.writer()).isEqualTo(next.incarnation());
    }

    @Test
    void anOpenBatchTakesNothingFromReturningConsumers() {
        UdpSide writing = side(options);
        TopicWriter writer = writing.writer();
        writing.write(writer, 3);
        UdpSide reading = side(reading());
        assertThat(reading.read(writing.admit(reading), 3, writing)).hasSize(3);
        close(reading);
        int count = 9 * options.window() / 5 / FragmentLayout.stagedBytes(Long.BYTES);
        writing.write(writer, count); // frame 4 is behind the window, but can be sent
        for (Frame frame = writer.claim(100); frame != null; frame = writer.claim(100)) {
            frame.stamp(0, 0, 0, 0, 0);
            frame.putLong(0, writer.sequence() + 1);
            writer.commit(100);
        }
        UdpSide again = side(reading());
        TopicReader reader = writing.admit(again);
        assertThat(reader.found().acknowledged()).isEqualTo(3);
        writer.flush();
        assertThat(again.read(reader, writer.sequence(), writing)).isEqualTo(range(4, writer.sequence()));
    }

    @Test
    void newLifeOfTheWriterIsReported() {
        UdpSide writing = side(options);
        writing.write(writing.writer(), 3);
        UdpSide reading = side(reading());
        TopicReader reader = writing.admit(reading);
        assertThat(reading.read(reader, 2, writing)).startsWith(1L, 2L);
        close(writing);

        UdpSide next = side(options);
        TopicWriter writer = next.writer();
        next.write(writer, 1);
        assertThat(reading.failure(reader, next))
                .hasMessageContainingAll("behind sequence 3", "consumer c", "are lost if there were any");
        reader.close();
        TopicReader again = next.admit(reading);
        assertThat(reading.read(again, 1, next)).isEqualTo(range(1, 1));
        assertThat(again.writer().id()).isEqualTo(writer.incarnation().id());
    }

    @Test
    void silenceOfTheWriterIsReported() {
        UdpSide writing = side(options);
        UdpSide reading = side(reading().with(UdpOptions.TIMEOUT, Duration.ofMillis(500)));
        TopicReader reader = writing.admit(reading);
        close(writing);

        assertThat(reading.failure(reader))
                .hasMessageContainingAll("behind sequence 0", "has not answered within timeout=500ms");
    }

    @Test
    void readerWaitsForTheWritersProcess() {
        UdpSide reading = side(reading());
        var opening = reading.connection.beginReader(UdpSide.TOPIC, UdpSide.CONSUMER, StartPosition.stored());
        CompletableFuture<Void> prepared = CompletableFuture.runAsync(opening::prepare);
        UdpSide writing = side(options);
        writing.await("the open", prepared::isDone);
        prepared.join();
        TopicReader reader = opening.finish();
        writing.write(writing.writer(), 1);
        assertThat(reading.read(reader, 1, writing)).isEqualTo(range(1, 1));
    }

    @Test
    void missingWriterIsNamedAtTheOpen() {
        UdpSide reading = side(reading().with(UdpOptions.TIMEOUT, Duration.ofMillis(500)));
        assertThatThrownBy(reading::reader)
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(
                        "topic 'orders' cannot be read", options.get(UdpOptions.REQUESTS), "start the process");
        assertThatThrownBy(reading::writer)
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("role=reader", "role=writer");
    }

    @Test
    void missingTopicIsNamedAtTheOpen() {
        UdpSide writing = side(options);
        writing.transport().deleteTopics(List.of(UdpSide.TOPIC));
        UdpSide reading = side(reading().with(UdpOptions.TIMEOUT, Duration.ofMillis(500)));
        assertThatThrownBy(() -> writing.admit(reading)).hasMessageContaining("has no topic 'orders'");
    }

    @Test
    void topicThatIsReadElsewhereIsNotDeleted() {
        UdpSide writing = side(options);
        UdpSide reading = side(reading());
        writing.admit(reading);
        for (UdpSide each : List.of(writing, reading)) {
            assertThatThrownBy(() -> each.transport().deleteTopics(List.of(UdpSide.TOPIC)))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(UdpSide.TOPIC, "in use");
        }
    }

    @Test
    void secondProcessThatWritesIsRefused() {
        side(options);
        assertThatThrownBy(() -> UdpTransport.open(options))
                .isInstanceOf(OccupiedException.class)
                .hasMessageContainingAll("in use", "role=reader");
        try (TestDriver driver = TestDriver.start(Duration.ofSeconds(5))) {
            UdpOptions shared = UdpPorts.options().with(UdpOptions.DRIVER, driver.directory());
            try (UdpTransport first = UdpTransport.open(shared)) {
                assertThat(first.createTopics(List.of("a"))).containsExactly("a");
                assertThatThrownBy(() -> UdpTransport.open(shared))
                        .isInstanceOf(OccupiedException.class)
                        .hasMessageContainingAll("writes at", "role=reader");
            }
        }
    }

    @Test
    void lostDriverEndsTheTransport() {
        try (TestDriver driver = TestDriver.start(Duration.ofSeconds(5))) {
            UdpSide side = side(UdpPorts.options()
                    .with(UdpOptions.DRIVER, driver.directory())
                    .with(UdpOptions.TIMEOUT, Duration.ofMillis(500)));
            driver.end();
            assertThatThrownBy(() -> side.await("the loss", () -> false))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("open the transport again")
                    .satisfies(failure -> assertThat(Causes.first(failure, LostTransportException.class))
                            .isNotNull());
        }
    }
}
