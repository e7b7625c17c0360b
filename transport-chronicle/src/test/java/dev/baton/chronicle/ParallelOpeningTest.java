package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several threads open topics of one transport at once. */
class ParallelOpeningTest {
    private static final long LIMIT_SECONDS = 30;
    private static final long PAUSE_NANOS = 200_000;

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** The first topic that is opened asks for space, and gets its answer when the test lets it. */
    private final CountDownLatch asked = new CountDownLatch(1);

    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicReference<Thread> opening = new AtomicReference<>();
    private volatile boolean fails;
    private ChronicleTransport transport;

    @BeforeEach
    void open() {
        transport = TestTransports.inSpace(directory.path(), Topic.SMALL, this::freeBytes);
        transport.createTopics(List.of("held", "other"));
    }

    @AfterEach
    void remove() {
        answered.countDown();
        threads.shutdownNow();
        transport.close();
        directory.close();
    }

    private long freeBytes() throws IOException {
        if (opening.compareAndSet(null, Thread.currentThread())) {
            asked.countDown();
            try {
                assertThat(answered.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (fails) {
                throw new IOException("planned");
            }
        }
        return Long.MAX_VALUE / 2;
    }

    @Test
    void differentTopicsDoNotWaitForEachOther() throws Exception {
        Future<String> held = threads.submit(() -> writesAndReads("held"));
        assertThat(asked.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();

        Future<String> other = threads.submit(() -> writesAndReads("other"));
        assertThat(other.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("other");
        assertThat(held).isNotDone();
        transport.deleteTopics(List.of("other"));
        answered.countDown();
        assertThat(held.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("held");
    }

    @Test
    void connectionIsFreeWhileFilesAreOpened() throws Exception {
        try (Connection connection = transport.connect()) {
            Opening<TopicReader> held = connection.beginReader("held", Topic.CONSUMER, StartPosition.stored());
            Future<?> prepared = threads.submit(held::prepare);
            assertThat(asked.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            try (TopicWriter writer = connection.openWriter("other")) {
                Topic.write(writer, "free");
            }

            answered.countDown();
            prepared.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            held.finish().close();
        }
    }

    @Test
    void withdrawnOpeningClosesItsFiles() throws Exception {
        answered.countDown();
        try (Connection connection = transport.connect()) {
            Opening<TopicReader> prepared = connection.beginReader("held", Topic.CONSUMER, StartPosition.stored());
            threads.submit(prepared::prepare).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertThatThrownBy(() -> transport.deleteTopics(List.of("held"))).hasMessageContaining("in use");

            prepared.withdraw();
            assertThat(OpenFiles.below(directory.path().resolve("held"))).isEmpty();
            transport.deleteTopics(List.of("held"));
        }
    }

    @Test
    void concurrentOpensShareOneLog() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Future<Long> first = threads.submit(() -> reads("a", done));
        assertThat(asked.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        AtomicReference<Thread> second = new AtomicReference<>();
        Future<String> written = threads.submit(() -> {
            second.set(Thread.currentThread());
            return writesAndReads(
                    "held",
                    () -> assertThat(OpenFiles.descriptorsBelow(directory.path()))
                            .as("one queue's: metadata, file and locks")
                            .hasSize(3));
        });
        awaitBlocked(second);
        answered.countDown();

        assertThat(written.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("held");
        done.countDown();
        assertThat(first.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isZero();
        assertThat(OpenFiles.below(directory.path().resolve("held"))).isEmpty();
    }

    @Test
    void waitersOpenTheTopicAfterAFailedOpen() throws Exception {
        fails = true;
        Future<String> first = threads.submit(() -> writesAndReads("held"));
        assertThat(asked.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        AtomicReference<Thread> second = new AtomicReference<>();
        Future<String> next = threads.submit(() -> {
            second.set(Thread.currentThread());
            return writesAndReads("held");
        });
        awaitBlocked(second);
        assertThatThrownBy(() -> transport.deleteTopics(List.of("held"))).hasMessageContaining("in use");
        answered.countDown();

        assertThatThrownBy(() -> first.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TransportException.class)
                .hasMessageContaining("planned");
        assertThat(next.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("held");
    }

    @Test
    void anOpenThatFailsAloneLeavesNothing() throws Exception {
        fails = true;
        answered.countDown();
        assertThatThrownBy(() -> writesAndReads("held")).hasMessageContaining("planned");

        assertThat(OpenFiles.below(directory.path().resolve("held"))).isEmpty();
        transport.deleteTopics(List.of("held"));
        transport.createTopics(List.of("held"));
        assertThat(writesAndReads("held")).isEqualTo("held");
    }

    @Test
    void closingTheTransportRefusesOpensInProgress() throws Exception {
        Future<String> held = threads.submit(() -> writesAndReads("held"));
        assertThat(asked.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        AtomicReference<Thread> waiting = new AtomicReference<>();
        Future<String> behind = threads.submit(() -> {
            waiting.set(Thread.currentThread());
            return writesAndReads("held");
        });
        awaitBlocked(waiting);

        transport.close();
        answered.countDown();
        for (Future<String> either : List.of(held, behind)) {
            assertThatThrownBy(() -> either.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the transport is closed");
        }
        assertThat(OpenFiles.below(directory.path())).isEmpty();
    }

    @Test
    void readersThatOpenRefuseNoWriter() throws Exception {
        try (Transport second = TestTransports.inSpace(directory.path(), Topic.SMALL, () -> Long.MAX_VALUE / 2);
                Transport third = TestTransports.inSpace(directory.path(), Topic.SMALL, () -> Long.MAX_VALUE / 2)) {
            opening.set(Thread.currentThread()); // nobody is held
            for (int round = 0; round < 60; round++) {
                String topic = "new-" + round;
                transport.createTopics(List.of(topic));
                CyclicBarrier begin = new CyclicBarrier(3);
                List<Future<?>> opened = List.of(
                        threads.submit(() -> open(begin, transport, each -> each.openWriter(topic))),
                        threads.submit(() -> open(begin, second, each -> each.openReader(topic, "a"))),
                        threads.submit(() -> open(begin, third, each -> each.openReader(topic, "b"))));
                for (Future<?> each : opened) {
                    each.get(LIMIT_SECONDS, TimeUnit.SECONDS);
                }
            }
        }
    }

    private static Void open(CyclicBarrier begin, Transport transport, Function<Connection, AutoCloseable> step)
            throws Exception {
        try (Connection connection = transport.connect()) {
            begin.await(LIMIT_SECONDS, TimeUnit.SECONDS);
            step.apply(connection).close();
        }
        return null;
    }

    private String writesAndReads(String topic) {
        return writesAndReads(topic, () -> {});
    }

    /** Sends a topic's name through it, over a connection of the calling thread. */
    private String writesAndReads(String topic, Runnable whileOpen) {
        try (Connection connection = transport.connect();
                TopicWriter writer = connection.openWriter(topic);
                TopicReader reader = connection.openReader(topic, Topic.CONSUMER)) {
            Topic.write(writer, topic);
            whileOpen.run();
            return String.join(" ", Topic.poll(reader, 10));
        }
    }

    /** Opens a reader of the topic that is held, and keeps it until the other one is done. */
    private long reads(String consumer, CountDownLatch done) throws InterruptedException {
        try (Connection connection = transport.connect();
                TopicReader reader = connection.openReader("held", consumer)) {
            assertThat(done.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            return reader.found().acknowledged();
        }
    }

    private static void awaitBlocked(AtomicReference<Thread> thread) {
        long start = System.nanoTime();
        while (thread.get() == null || thread.get().getState() != Thread.State.BLOCKED) {
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
