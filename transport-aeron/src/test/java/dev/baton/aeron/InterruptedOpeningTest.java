package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Connection;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.Turns;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Interrupts that arrive while a thread opens topics, as those of an executor that shuts down, end no other topic. */
class InterruptedOpeningTest {
    private static final int ROUNDS = 3;
    private static final long PAUSE_NANOS = 2_000_000;

    @AfterEach
    void endTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void interruptedOpeningOverUdpEndsNoOtherTopic() {
        try (TransportFixture fixture = new UdpFixture(UdpPorts.options());
                Transport transport = fixture.open();
                Connection connection = transport.connect()) {
            String name = fixture.newTopic();
            transport.createTopics(List.of(name));
            TopicProbe other = new TopicProbe(name, connection, new Turns(fixture.longestWait(), connection));
            other.reader();
            other.write("a");
            assertThat(other.take(1)).containsExactly("a");
            for (int round = 0; round < ROUNDS; round++) {
                interrupted(() -> transport.createTopics(List.of(fixture.newTopic())));
                other.write("a");
                assertThat(other.take(1)).containsExactly("a");
            }
        }
    }

    /** Runs a task while another thread interrupts this one again and again; the task may fail. */
    private static void interrupted(Runnable task) {
        Thread own = Thread.currentThread();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread other = new Thread(() -> {
            while (!isOver.get()) {
                own.interrupt();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        });
        other.start();
        try {
            task.run();
        } catch (TransportException refused) {
            assertThat(refused).hasMessageContaining("Aeron");
        } finally {
            isOver.set(true);
            while (other.isAlive()) {
                Thread.onSpinWait(); // a join would be interrupted
            }
            Thread.interrupted();
        }
    }
}
