package dev.baton.tck.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Connection;
import dev.baton.spi.Incarnation;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportTck;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The contract on interrupted threads, such as one that closes a chain while its executor shuts down: what they call does its work,
 * or refuses to wait for a server; they remain interrupted, and nothing else ends.
 */
public abstract class InterruptTck extends TransportTck {
    private static final String RULE =
            "; rule: a call on an interrupted thread leaves the thread interrupted (Transport)";
    private static final int ROUNDS = 3;
    private static final long INTERRUPT_NANOS = 2_000_000;

    /** Called by the test of a transport. */
    protected InterruptTck() {}

    @AfterEach
    final void endTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void interruptedThreadsCreateAndDeleteTopics() {
        String name = fixture().newTopic();
        orRefused("createTopics", () -> transport().createTopics(List.of(name)));
        assertThat(orRefused("topics", () -> transport().topics())).contains(name);
        assertThat(orRefused("existing", () -> transport().existing(Set.of(name))))
                .containsExactly(name);
        orRefused("deleteTopics", () -> {
            transport().deleteTopics(List.of(name));
            return null;
        });
        assertThat(transport().createTopics(List.of(name)))
                .as("what is created again after it was deleted by an interrupted thread")
                .containsExactly(name);
    }

    @Test
    void interruptedThreadsForgetConsumers() {
        TopicProbe topic = openTopic();
        topic.write("a");
        topic.take(1);
        topic.awaitStored();
        topic.reader().close();
        try {
            assertThat(orRefused("forget", () -> transport().forgetConsumer(topic.name(), TopicProbe.CONSUMER)))
                    .isTrue();
        } catch (UnsupportedOperationException cannot) {
            Assumptions.abort("cannot forget consumers");
        }
        assertThat(transport().forgetConsumer(topic.name(), TopicProbe.CONSUMER))
                .isFalse();
    }

    @Test
    void interruptedThreadsInspectTopics() {
        Assumptions.assumeTrue(isDurable(), "keeps nothing that can be inspected");
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.awaitStored();

        TopicInspector inspector = orRefused("inspect", () -> transport().inspect(topic.name()));
        Recorder recorder = new Recorder();
        turns().until("two frames that are inspected", () -> {
            orRefused("read", () -> inspector.read(recorder, 2 - recorder.count()));
            return recorder.count() == 2;
        });
        assertThat(recorder.texts()).containsExactly("a", "b");
        assertThat(orRefused("newestSequence", inspector::newestSequence)).isEqualTo(2);
        interrupted("the close of an inspector", inspector::close);
    }

    @Test
    void interruptedThreadsWriteReadAndClose() {
        TopicProbe topic = newTopic();
        orRefused("openReader", topic::reader);
        orRefused("openWriter", topic::writer);
        interrupted("claim, commit, rewind and flush", () -> {
            topic.commit("withdrawn");
            topic.writer().rewind(0);
            topic.write("a", "b");
        });
        interrupted("doWork, await and poll", topic::awaitStored);
        interrupted("poll and acknowledge", () -> topic.take(1));
        interrupted("the close of a writer", topic.writer()::close);
        interrupted("the close of a reader", topic.reader()::close);

        TopicProbe next = probe(topic.name());
        assertThat(next.writer().sequence()).isEqualTo(2);
        assertThat(next.read(1).texts()).containsExactly("b");
    }

    @Test
    void interruptedThreadsCloseConnections() {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.take(1);
        topic.commit("c");
        Connection closed = connection();
        interrupted("the close of a connection", closed::close);
        restart(Restart.CONNECTION);

        TopicProbe next = probe(topic.name());
        assertThat(next.writer().sequence()).isEqualTo(3);
        assertThat(next.read(2).texts()).containsExactly("b", "c");
    }

    @Test
    void interruptedThreadsWithdrawOpenings() {
        TopicProbe topic = newTopic();
        Opening<TopicWriter> writer = connection().beginWriter(topic.name(), Incarnation.NO_TOPOLOGY);
        Opening<TopicReader> reader =
                connection().beginReader(topic.name(), TopicProbe.CONSUMER, StartPosition.stored());
        writer.prepare();
        reader.prepare();
        interrupted("withdraw", () -> {
            writer.withdraw();
            reader.withdraw();
        });

        topic.write("a");
        assertThat(topic.read(1).texts()).containsExactly("a");
    }

    @Test
    void arrivingInterruptsEndNoOtherTopic() {
        TopicProbe other = openTopic();
        String name = fixture().newTopic();
        for (int round = 1; round <= ROUNDS; round++) {
            underInterrupts(() -> transport().createTopics(List.of(name)));
            transport().createTopics(List.of(name));
            Connection own = transport().connect();
            underInterrupts(() -> own.openWriter(name));
            underInterrupts(() -> own.openReader(name, TopicProbe.CONSUMER));
            try {
                own.close();
            } catch (TransportException lost) {
                // by an interrupt
            }

            TopicProbe next = probe(name);
            next.write("next " + round);
            assertThat(next.take(1)).containsExactly("next " + round);
            next.writer().close();
            next.reader().close();
            other.write("other " + round);
            assertThat(other.take(1)).containsExactly("other " + round);
        }
    }

    private static void interrupted(String what, Runnable call) {
        interrupted(what, () -> {
            call.run();
            return null;
        });
    }

    private static <T> T interrupted(String what, Supplier<T> call) {
        Thread.currentThread().interrupt();
        T result;
        boolean isInterrupted = false;
        try {
            result = call.get();
        } finally {
            isInterrupted = Thread.interrupted();
        }
        assertThat(isInterrupted)
                .as("whether the thread is interrupted after %s" + RULE, what)
                .isTrue();
        return result;
    }

    /** Calls what may refuse to wait for a server; the call without an interrupt then works at once. */
    private static <T> T orRefused(String what, Supplier<T> call) {
        try {
            return interrupted(what, call);
        } catch (TransportException refused) {
            return call.get();
        }
    }

    /** Calls what may fail while another thread interrupts this one again and again. */
    private static void underInterrupts(Runnable call) {
        Thread own = Thread.currentThread();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread other = new Thread(
                () -> {
                    while (!isOver.get()) {
                        own.interrupt();
                        LockSupport.parkNanos(INTERRUPT_NANOS);
                    }
                },
                "tck-interrupting");
        other.start();
        try {
            call.run();
        } catch (TransportException refused) {
            // as this thread was interrupted
        } finally {
            isOver.set(true);
            while (other.isAlive()) {
                Thread.onSpinWait(); // a join would be interrupted
            }
            Thread.interrupted();
        }
    }
}
