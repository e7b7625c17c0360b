package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Topics of several transports over one running media driver, each with a client of its own, as processes have. */
@Tag("slow")
class SharedTopicsTest {
    private static final Duration SHORT = Duration.ofMillis(800);
    private static final String TOPIC = "orders";
    private static final String CONSUMER = "c";

    private static TestDriver patient;
    private static TestDriver impatient;

    private TestDriver driver = patient;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @BeforeAll
    static void start() {
        patient = TestDriver.start(Duration.ofMinutes(1));
        impatient = TestDriver.start(SHORT);
    }

    @AfterAll
    static void end() {
        patient.close();
        impatient.close();
    }

    @BeforeEach
    void create() {
        try (AeronTransport transport = AeronTransport.open(driver.options())) {
            assertThat(transport.createTopics(List.of(TOPIC))).containsExactly(TOPIC);
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        for (TestDriver each : List.of(patient, impatient)) {
            try (AeronTransport transport = AeronTransport.open(each.options())) {
                transport.deleteTopics(transport.topics());
            }
        }
    }

    /** Uses the driver that drops clients early. */
    private void beImpatient() {
        driver = impatient;
        create();
    }

    /** Connects as another process would. */
    private Connection connect() {
        AeronTransport transport = AeronTransport.open(driver.options());
        opened.push(transport);
        Connection connection = transport.connect();
        opened.push(connection);
        return connection;
    }

    private static void write(TopicWriter writer, long first, long last) {
        for (long value = first; value <= last; value++) {
            commit(writer, value);
        }
        writer.flush();
    }

    private static void commit(TopicWriter writer, long value) {
        Frame frame = writer.claim(Long.BYTES);
        frame.stamp(0, 0, 0, 0, 0);
        frame.putLong(0, value);
        writer.commit(Long.BYTES);
    }

    private static List<Long> read(TopicReader reader) {
        List<Long> values = new ArrayList<>();
        int handed;
        do { // a poll ends with a log
            handed = reader.poll(
                    (frame, position) -> {
                        assertThat(frame.sequence()).isEqualTo(position);
                        values.add(frame.getLong(0));
                        return Verdict.DONE;
                    },
                    Integer.MAX_VALUE);
        } while (handed > 0);
        return values;
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void anotherTransportReadsAtOnce() {
        TopicReader reader = connect().openReader(TOPIC, CONSUMER); // before there is a writer
        assertThat(read(reader)).isEmpty();
        TopicWriter writer = connect().openWriter(TOPIC);
        write(writer, 1, 3);
        assertThat(read(reader)).containsExactlyElementsOf(range(1, 3));
        assertThat(reader.writer()).isEqualTo(writer.incarnation());
        assertThat(reader.found().identity()).isPositive();
    }

    @Test
    void framesAfterARewindAnswerTheNewestInput() {
        TopicWriter writer = connect().openWriter(TOPIC);
        for (long input = 1; input <= 3; input++) {
            writer.answers(new InputRef(7, input));
            commit(writer, input);
        }
        writer.rewind(0);
        write(writer, 1, 1);
        writer.close();
        assertThat(connect().openWriter(TOPIC).found().input()).isEqualTo(new InputRef(7, 3));
    }

    @Test
    void roomIsGivenBeforeAClaimNeedsIt() {
        Connection connection = connect();
        TopicWriter writer = connection.openWriter(TOPIC);
        TopicReader reader = connection.openReader(TOPIC, CONSUMER);
        int window = AeronOptions.LEAST_TERM / 2;
        for (int written = 1; written * 100 < 3 * window; written++) {
            Frame frame = writer.claim(100);
            assertThat(frame)
                    .as("message " + written + ", although all before have been read")
                    .isNotNull();
            frame.stamp(0, 0, 0, 0, 0);
            writer.commit(100);
            writer.flush();
            assertThat(reader.poll((each, position) -> Verdict.DONE, 1)).isEqualTo(1);
            reader.acknowledge(written);
            if (written % 8 == 0) {
                driver.awaitTurn(); // it moves the publication's limit
            }
        }
    }

    @Test
    void topicsAreFoundByAllTransports() {
        try (AeronTransport other = AeronTransport.open(driver.options())) {
            assertThat(other.topics()).containsExactly(TOPIC);
            assertThat(other.createTopics(List.of(TOPIC, "more"))).containsExactly("more");
            assertThat(other.guarantees())
                    .isEqualTo(new AeronProvider()
                            .guarantees(Map.of("driver", driver.directory().toString())));
        }
    }

    @Test
    void aSecondWriterIsRefusedWhileOneLives() {
        Connection first = connect();
        Connection second = connect();
        first.openWriter(TOPIC);
        first.openReader(TOPIC, CONSUMER);
        Thread turns = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                first.doWork();
            }
        });
        turns.start();
        try {
            String process = "process " + ProcessHandle.current().pid();
            assertThatThrownBy(() -> second.openWriter(TOPIC))
                    .isInstanceOf(OccupiedException.class)
                    .hasMessageContainingAll(TOPIC, "live writer", process);
            assertThatThrownBy(() -> second.openReader(TOPIC, CONSUMER))
                    .isInstanceOf(OccupiedException.class)
                    .hasMessageContainingAll(TOPIC, CONSUMER, "live reader", process);
            try (AeronTransport third = AeronTransport.open(driver.options())) {
                assertThatThrownBy(() -> third.deleteTopics(List.of(TOPIC)))
                        .isInstanceOf(TransportException.class)
                        .hasMessageContainingAll(TOPIC, "in use");
                assertThatThrownBy(() -> third.forgetConsumer(TOPIC, CONSUMER)).isInstanceOf(OccupiedException.class);
            }
        } finally {
            turns.interrupt();
        }
    }

    @Test
    void unreadFramesOutliveTheirTransport() throws Exception {
        for (int writers = 0; writers < 3; writers++) {
            TopicWriter writer = connect().openWriter(TOPIC);
            assertThat(writer.sequence()).isEqualTo(100L * writers);
            assertThat(writer.found().cause()).isZero();
            write(writer, 100L * writers + 1, 100L * writers + 100);
            closeOpened();
            AeronEnds.until(
                    "the removal of the publication",
                    () -> Arrays.equals(
                            new String[0],
                            driver.directory().resolve("publications").toFile().list()));
        }
        TopicReader reader = connect().openReader(TOPIC, CONSUMER);
        assertThat(reader.found().newest()).isEqualTo(300);
        assertThat(reader.backlog()).isEqualTo(300);
        List<Long> values = read(reader);
        reader.acknowledge(150);
        assertThat(values).containsExactlyElementsOf(range(1, 300));
        closeOpened();

        reader = connect().openReader(TOPIC, CONSUMER);
        assertThat(reader.found().acknowledged()).isEqualTo(150);
        assertThat(read(reader)).containsExactlyElementsOf(range(151, 300));
        TopicReader late = connect().openReader(TOPIC, "late");
        assertThat(late.found().acknowledged()).isLessThanOrEqualTo(150);
    }

    private void closeOpened() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    @Test
    void aReaderFollowsTheNextWriter() throws Exception {
        TopicReader reader = connect().openReader(TOPIC, CONSUMER);
        Deque<AutoCloseable> readers = new ArrayDeque<>(opened);
        opened.clear();
        long last = 0;
        for (int round = 0; round < 5; round++) {
            TopicWriter writer = connect().openWriter(TOPIC);
            write(writer, last + 1, last + 50);
            if (round % 2 == 0) { // sometimes it is behind
                assertThat(read(reader)).endsWith(last + 50);
                reader.acknowledge(last + 50);
            }
            last += 50;
            closeOpened();
        }
        opened.addAll(readers);
        assertThat(reader.found().acknowledged()).isZero();
        assertThat(reader.backlog()).isZero();
    }

    @Test
    void aLaggingReaderStopsTheWriter() {
        TopicReader reader = connect().openReader(TOPIC, CONSUMER);
        TopicWriter writer = connect().openWriter(TOPIC);
        long last = 0;
        while (writer.remainingCapacity(Long.BYTES) > 0) {
            last++;
            write(writer, last, last);
        }
        assertThat(writer.slowestConsumer().consumer()).isEqualTo(CONSUMER);
        assertThat(writer.slowestConsumer().frames()).isEqualTo(last);
        assertThat(read(reader)).containsExactlyElementsOf(range(1, last));
        assertThat(writer.claim(Long.BYTES)).isNull();
        reader.acknowledge(last);
        AeronEnds.until("room", () -> writer.remainingCapacity(Long.BYTES) > 0);
        write(writer, last + 1, last + 1);
        assertThat(read(reader)).containsExactly(last + 1);
    }

    @Test
    void manyTermsCrossTransports() {
        TopicReader reader = connect().openReader(TOPIC, CONSUMER);
        TopicWriter writer = connect().openWriter(TOPIC);
        long read = 0;
        for (long value = 1; value <= 20_000; value++) {
            AeronEnds.until("room", () -> writer.remainingCapacity(Long.BYTES) > 0);
            write(writer, value, value);
            for (long each : read(reader)) {
                assertThat(each).isEqualTo(++read);
            }
            reader.acknowledge(read);
        }
        assertThat(read).isEqualTo(20_000);
    }

    @Test
    void aSuspendedWriterIsReplacedAndStoresNothing() {
        beImpatient();
        TopicReader reader = connect().openReader(TOPIC, CONSUMER);
        Connection suspended = connect(); // which gets no turns
        TopicWriter old = suspended.openWriter(TOPIC);
        write(old, 1, 10);
        TopicWriter next = connect().openWriter(TOPIC); // awaits the end of the client
        assertThat(next.sequence()).isEqualTo(10);
        assertThatThrownBy(() -> write(old, -1, -1)).hasMessageContainingAll(TOPIC, "cannot be written");
        assertThat(old.storedSequence()).isEqualTo(10);
        assertThat(old.failure()).isNotNull();
        write(next, 11, 20);
        assertThat(read(reader)).containsExactlyElementsOf(range(1, 20));
    }

    @Test
    void aSuspendedReaderAcknowledgesNothing() {
        beImpatient();
        TopicWriter writer = connect().openWriter(TOPIC);
        write(writer, 1, 10);
        TopicReader old = connect().openReader(TOPIC, CONSUMER);
        read(old);
        old.acknowledge(4);
        TopicReader next = connect().openReader(TOPIC, CONSUMER);
        assertThat(next.found().acknowledged()).isEqualTo(4);
        assertThatThrownBy(() -> old.acknowledge(10)).hasMessageContainingAll(CONSUMER, TOPIC, "taken over");
        assertThat(read(next)).containsExactlyElementsOf(range(5, 10));
    }

    @Test
    void aForgottenSuspendedReaderReceivesNothingOverwritten() {
        beImpatient();
        TopicReader suspended = connect().openReader(TOPIC, CONSUMER); // gets no turns
        assertThat(read(suspended)).isEmpty();
        AeronEnds.until("the end of the client", () -> driver.clients() == 0);
        Connection connection = connect();
        try (AeronTransport other = AeronTransport.open(driver.options())) {
            assertThat(other.forgetConsumer(TOPIC, CONSUMER)).isTrue();
        }
        TopicWriter writer = connection.openWriter(TOPIC);
        for (long value = 1; value <= 4L * AeronOptions.LEAST_TERM / 96; value++) { // more than a log has
            AeronEnds.until("room", () -> {
                connection.doWork();
                return writer.remainingCapacity(Long.BYTES) > 0;
            });
            write(writer, value, value);
        }
        List<Long> values = new ArrayList<>();
        assertThatThrownBy(() -> suspended.poll(
                        (frame, position) -> {
                            values.add(position);
                            return Verdict.DONE;
                        },
                        1))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(CONSUMER, TOPIC);
        assertThat(values).isEmpty();
    }

    @Test
    void termsThatAreTooShortAreRefused() {
        try (AeronTransport longer = AeronTransport.open(driver.options()
                        .with(AeronOptions.TERM_LENGTH, 1 << 20)
                        .with(AeronOptions.MAX_PAYLOAD, 60_000));
                Connection connection = longer.connect()) {
            assertThatThrownBy(() -> connection.openWriter(TOPIC))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(TOPIC, "term-length=65536", "max-payload=60000");
        }
    }

    @Test
    void topicsAreDeletedByTwoProcessesAtOnce() throws Exception {
        try (AeronTransport one = AeronTransport.open(driver.options());
                AeronTransport other = AeronTransport.open(driver.options())) {
            CyclicBarrier both = new CyclicBarrier(2);
            for (int round = 0; round < 100; round++) {
                one.createTopics(List.of(TOPIC));
                CompletableFuture<Void> deleted = CompletableFuture.runAsync(() -> deleteWith(both, other));
                deleteWith(both, one);
                deleted.get(10, TimeUnit.SECONDS);
                assertThat(one.topics()).isEmpty();
            }
        }
    }

    private static void deleteWith(CyclicBarrier both, AeronTransport transport) {
        try {
            both.await(10, TimeUnit.SECONDS);
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
        transport.deleteTopics(List.of(TOPIC));
    }
}
