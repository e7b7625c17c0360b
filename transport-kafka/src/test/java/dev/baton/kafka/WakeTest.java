package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.connection.KafkaConnection;
import dev.baton.spi.Connection;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An await ends for news, for a wake-up and for nothing else, and no wake-up harms what comes after. */
class WakeTest extends OnBroker {
    private static final Duration LONG = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anotherThreadEndsAnAwait(boolean hasReader) throws Exception {
        KafkaTransport transport = transport();
        Connection connection = connect(transport);
        if (hasReader) {
            connection.openReader(newTopic(transport), "someone");
        }
        Thread loop = Thread.currentThread();
        CountDownLatch woken = new CountDownLatch(1);
        Thread waker = new Thread(() -> {
            Awaitility.await().atMost(LONG).until(() -> isInAwait(loop));
            woken.countDown();
            connection.wake();
        });
        waker.start();

        long start = System.nanoTime();
        while (woken.getCount() > 0) {
            connection.await(LONG.toNanos());
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG.dividedBy(2));
        waker.join();
    }

    @Test
    void wakeUpBeforeAwaitEndsItAtOnce() {
        KafkaTransport transport = transport();
        Connection connection = connect(transport);
        connection.openReader(newTopic(transport), "someone");
        connection.wake();

        long start = System.nanoTime();
        connection.await(LONG.toNanos());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG.dividedBy(2));
    }

    @Test
    void aFrameEndsAnAwait() {
        KafkaTransport transport = transport();
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.reader();
        topic.write("a");

        long start = System.nanoTime();
        while (connection.doWork() == 0) {
            connection.await(LONG.toNanos());
        }
        assertThat(topic.read(1).texts()).containsExactly("a");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG.dividedBy(2));
    }

    @Test
    void awaitIsShortUntilPositionsAreStored() {
        KafkaTransport transport = transport();
        Connection connection = connect(transport);
        String name = newTopic(transport);
        TopicProbe written = probe(name, connect(transport)); // whose producer does not wake the reader's connection
        written.write("a");
        written.awaitStored();
        probe(name, connection).take(1);

        long start = System.nanoTime();
        connection.await(LONG.toNanos());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG.dividedBy(2));
    }

    @Test
    void wakeUpsAtAnyTimeLoseNothing() throws Exception {
        KafkaTransport transport = transport();
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.reader();
        Thread waker = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                connection.wake();
                Thread.onSpinWait();
            }
        });
        waker.start();
        try {
            for (int i = 0; i < 200; i++) {
                topic.write("frame " + i);
                connection.await(TimeUnit.MILLISECONDS.toNanos(2));
                assertThat(topic.read(1).texts()).containsExactly("frame " + i);
            }
        } finally {
            waker.interrupt();
            waker.join();
        }
    }

    @Test
    void interruptedThreadGoesOnWorkingAndStaysInterrupted() {
        KafkaTransport transport = transport();
        String name = newTopic(transport);
        try {
            try (Connection connection = transport.connect()) {
                TopicProbe topic = probe(name, connection);
                topic.reader();
                topic.writer();
                Thread.currentThread().interrupt();
                topic.write("a");
                assertThat(topic.take(1)).containsExactly("a");
                topic.commit("b");
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        TopicProbe again = probe(name, connect(transport));
        assertThat(again.take(1)).containsExactly("b");
    }

    private static boolean isInAwait(Thread thread) {
        for (StackTraceElement element : thread.getStackTrace()) {
            if (element.getMethodName().equals("await")
                    && element.getClassName().equals(KafkaConnection.class.getName())) {
                return thread.getState() != Thread.State.RUNNABLE || thread.getStackTrace()[0].isNativeMethod();
            }
        }
        return false;
    }
}
