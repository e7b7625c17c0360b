package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.log.TopicLog;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock is at the beginning of 1970, as on a board without a battery until it has the time of the network. */
class EpochClockTest {
    /** The environment that faketime(1) makes; that program itself would stay between this process and the JVM. */
    private static final List<String> FAKETIME =
            List.of("env", "LD_PRELOAD=/usr/$LIB/faketime/libfaketimeMT.so.1", "FAKETIME=@1970-01-01 00:00:01");

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @ParameterizedTest
    @EnumSource(ChronicleOptions.Roll.class)
    void framesAreReadAfterEachStart(ChronicleOptions.Roll roll) throws IOException {
        SetTimeProvider clock = new SetTimeProvider(0);
        for (int start = 1; start <= 3; start++) {
            try (Topic topic = at(clock, roll)) {
                TopicWriter writer = topic.writer();
                assertThat(writer.sequence()).isEqualTo(start - 1L);
                Topic.write(writer, "frame " + start);
                TopicReader reader = topic.reader();
                assertThat(Topic.poll(reader, 10)).isEqualTo(texts(Math.max(1, start - 1), start));
                reader.acknowledge(start - 1L);
                assertThat(Topic.poll(topic.connection.openReader(Topic.NAME, "new" + start), 10))
                        .isEqualTo(texts(1, start));
                assertThat(Topic.poll(earliest(topic, "moved" + start), 10)).isEqualTo(texts(1, start));
                clock.advanceMillis(1);
            }
        }
        clock.advanceMillis(TimeUnit.DAYS.toMillis(20_000)); // the time of the network has come
        try (Topic topic = at(clock, roll)) {
            TopicReader reader = topic.reader();
            Topic.write(topic.writer(), "frame 4");
            assertThat(Topic.poll(reader, 10)).isEqualTo(texts(3, 4));
        }
        assertThat(directory.queueFiles()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -1_000_000})
    void aClockBeforeTheEpochIsNoDifferent(long millis) {
        for (int start = 1; start <= 2; start++) {
            try (Topic topic =
                    at(new SetTimeProvider(TimeUnit.MILLISECONDS.toNanos(millis)), ChronicleOptions.Roll.DAILY)) {
                Topic.write(topic.writer(), "frame " + start);
                assertThat(Topic.poll(topic.reader(), 10)).isEqualTo(texts(1, start));
            }
        }
    }

    @Test
    void filesOfEpochAreReadToEnd() {
        try (Topic topic = Topic.in(directory.path())) {
            topic.reader();
        }
        try (SingleChronicleQueue queue = SingleChronicleQueueBuilder.binary(
                                directory.path().resolve(Topic.NAME))
                        .rollCycle(TopicLog.rollCycle(Topic.SMALL.get(ChronicleOptions.ROLL)))
                        .blockSize(Topic.SMALL.get(ChronicleOptions.BLOCK_SIZE))
                        .timeProvider(new SetTimeProvider(0))
                        .build();
                ExcerptAppender appender = queue.createAppender()) {
            for (int i = 1; i <= 3; i++) {
                RawQueue.append(appender, i, "frame " + i);
            }
            assertThat(queue.firstIndex()).isZero();
        }
        for (int start = 1; start <= 3; start++) {
            try (Topic topic = Topic.in(directory.path())) {
                TopicReader reader = topic.reader();
                assertThat(Topic.poll(reader, 1)).isEqualTo(texts(start, start));
                reader.acknowledge(start);
                assertThat(Topic.poll(topic.connection.openReader(Topic.NAME, "new" + start), 10))
                        .isEqualTo(texts(1, 3));
                assertThat(Topic.poll(earliest(topic, "moved" + start), 10)).isEqualTo(texts(1, 3));
            }
        }
        try (Topic topic = Topic.in(directory.path());
                TopicInspector inspector = topic.transport.inspect(Topic.NAME)) {
            assertThat(topic.writer().sequence()).isEqualTo(3);
            assertThat(inspector.newestSequence()).isEqualTo(3);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(60)
    void processesWithoutAClockReadWhatWasWritten() throws InterruptedException {
        Programs.require(
                Programs.isInstalled("faketime") || "required".equals(System.getenv("BATON_FAKETIME")),
                "Debian's package faketime is not installed");
        for (int start = 1; start <= 2; start++) {
            try (QueueProcess child = QueueProcess.startBy(
                    FAKETIME, WritesAndReads.class, directory.path().toString(), "frame " + start)) {
                assertThat(child.line()).isEqualTo("1970, read " + texts(1, start));
                assertThat(child.exitCode()).isZero(); // killed, it would leave the library's shared memory behind
            }
        }
    }

    private Topic at(SetTimeProvider clock, ChronicleOptions.Roll roll) {
        return Topic.over(TestTransports.in(directory.path(), Topic.SMALL.with(ChronicleOptions.ROLL, roll), clock));
    }

    private static TopicReader earliest(Topic topic, String consumer) {
        return topic.connection.openReader(Topic.NAME, consumer, StartPosition.earliest());
    }

    private static List<String> texts(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> "frame " + i).toList();
    }

    static final class WritesAndReads {
        private WritesAndReads() {}

        public static void main(String[] arguments) {
            try (Topic topic = Topic.in(Path.of(arguments[0]))) {
                Topic.write(topic.writer(), arguments[1]);
                System.out.println(
                        LocalDate.now(ZoneOffset.UTC).getYear() + ", read " + Topic.poll(topic.reader(), 10));
            }
        }
    }
}
