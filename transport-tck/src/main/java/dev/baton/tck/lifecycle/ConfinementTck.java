package dev.baton.tck.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportTck;
import dev.baton.tck.harness.OtherThread;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The contract on confinement: use after close and use by another thread throw different messages. */
public abstract class ConfinementTck extends TransportTck {
    /** Called by the test of a transport. */
    protected ConfinementTck() {}

    @Test
    void aClosedConnectionOpensNothing() {
        TopicProbe topic = newTopic();
        Connection connection = connection();
        closeConnections();

        assertSaysClosed(() -> connection.openWriter(topic.name()));
        assertSaysClosed(() -> connection.openReader(topic.name(), "late"));
    }

    @Test
    void writerOfAClosedConnectionRefusesToWork() {
        TopicProbe topic = openTopic();
        TopicWriter writer = topic.writer();
        topic.claim(4);
        closeConnections();

        assertSaysClosed(() -> writer.claim(4));
        assertSaysClosed(() -> writer.commit(4));
        assertSaysClosed(writer::flush);
        assertSaysClosed(writer::abort);
        assertSaysClosed(() -> writer.rewind(0));
        assertSaysClosed(writer::remainingCapacity);
    }

    @Test
    void readerOfAClosedConnectionRefusesToWork() {
        TopicProbe topic = openTopic();
        TopicReader reader = topic.reader();
        topic.write("a");
        closeConnections();

        assertSaysClosed(() -> reader.poll(new Recorder(), 1));
        assertSaysClosed(() -> reader.acknowledge(0));
    }

    @Test
    void anotherThreadMayNotOpenThroughAConnection() {
        TopicProbe topic = newTopic();

        assertSaysThread(() -> connection().openWriter(topic.name()));
        assertSaysThread(() -> connection().openReader(topic.name(), "stranger"));
    }

    @Test
    void anotherThreadMayNotClaim() {
        TopicProbe topic = openTopic();

        assertSaysThread(() -> topic.writer().claim(4));
    }

    @Test
    void anotherThreadMayUseNoMethodOfAWriter() {
        TopicProbe topic = openTopic();
        topic.claim(4).stamp(0, 0, 0, 0, 0);
        assertSaysThread(() -> topic.writer().commit(4));
        assertSaysThread(() -> topic.writer().abort());
        topic.writer().commit(4);
        assertSaysThread(() -> topic.writer().rewind(0));
        assertSaysThread(() -> topic.writer().flush());
        assertSaysThread(() -> topic.writer().remainingCapacity());
        topic.writer().flush();
        assertThat(topic.read(1).sequences())
                .as("the frame that another thread has neither withdrawn nor flushed")
                .containsExactly(1L);
    }

    @Test
    void anotherThreadMayNotAcknowledge() {
        TopicProbe topic = openTopic();
        topic.write("a");
        long position = topic.read(1).lastPosition();

        assertSaysThread(() -> topic.reader().acknowledge(position));
    }

    @Test
    void anotherThreadMayNotPoll() {
        TopicProbe topic = openTopic();

        assertSaysThread(() -> topic.reader().poll(new Recorder(), 1));
    }

    @Test
    void anotherThreadMayWakeAConnection() {
        assertThatCode(() -> OtherThread.call("tck-waker", () -> {
                    connection().wake();
                    return null;
                }))
                .doesNotThrowAnyException();
    }

    @Test
    void anotherThreadMayCloseAnUnusedConnection() {
        TopicProbe topic = openTopic();
        topic.write("a");

        assertThatCode(() -> OtherThread.call("tck-closer", () -> {
                    connection().close();
                    return null;
                }))
                .doesNotThrowAnyException();
        restart(Restart.CONNECTION);
        assertThatCode(() -> probe(topic.name()).read(1)).doesNotThrowAnyException();
    }

    private static void assertSaysClosed(ThrowingCallable use) {
        assertThatThrownBy(use).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    }

    private static void assertSaysThread(ThrowingCallable use) {
        assertThatThrownBy(() -> OtherThread.call("tck-stranger", () -> {
                    try {
                        use.call();
                    } catch (Error | Exception thrown) {
                        throw thrown;
                    } catch (Throwable thrown) {
                        throw new AssertionError(thrown);
                    }
                    return null;
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("thread")
                .hasMessageContaining("tck-stranger");
    }
}
