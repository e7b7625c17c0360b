package dev.baton.tck.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.TransportTck;
import dev.baton.tck.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The contract on closing: it drains in-flight messages, leaves nothing behind, and is idempotent. */
public abstract class LifecycleTck extends TransportTck {
    private static final int LIVES = 6;
    private static final int FRAMES_OF_A_LIFE = 40;

    /** Called by the test of a transport. */
    protected LifecycleTck() {}

    @Test
    void closingTwiceDoesNothingMore() {
        TopicProbe topic = openTopic();
        topic.write("a");
        Connection connection = connection();
        closeConnections();
        assertThatCode(connection::close).doesNotThrowAnyException();

        transport().close();
        assertThatCode(transport()::close).doesNotThrowAnyException();
    }

    @Test
    void closingAConnectionThatOpenedNothingDoesNothing() {
        Connection idle = connect();

        assertThatCode(idle::close).doesNotThrowAnyException();
    }

    @Test
    void closingAConnectionFlushesWhatWasCommitted() {
        TopicProbe topic = openTopic();
        topic.commit("a", "b");
        restart(Restart.CONNECTION);

        TopicProbe again = probe(topic.name());
        assertThat(again.writer().storedSequence()).isEqualTo(2);
        assertThat(again.read(2).texts()).containsExactly("a", "b");
    }

    @Test
    void closingAConnectionDropsAnOpenClaim() {
        TopicProbe topic = openTopic();
        topic.commit("a");
        topic.claim(8).putLong(0, 1);
        restart(Restart.CONNECTION);

        TopicProbe again = probe(topic.name());
        again.write("b");
        assertThat(again.read(2).texts()).containsExactly("a", "b");
    }

    @Test
    void closingAWriterFlushesAndAdmitsAnother() {
        TopicProbe topic = openTopic();
        topic.commit("a", "b");
        topic.claim(8).putLong(0, 1);
        topic.writer().close();
        topic.writer().close();
        assertThatThrownBy(() -> topic.writer().claim(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");

        TopicProbe again = probe(topic.name());
        assertThat(again.writer().sequence()).isEqualTo(2);
        again.write("c");
        assertThat(topic.read(3).texts()).containsExactly("a", "b", "c");
    }

    @Test
    void closingAReaderAdmitsAnotherThatContinues() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.take(1);
        topic.reader().close();
        topic.reader().close();
        assertThatThrownBy(() -> topic.reader().poll(new Recorder(), 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");

        assertThat(probe(topic.name()).read(2).texts()).containsExactly("b", "c");
    }

    @Test
    void secondCloseOfAWriterHasNoEffect() {
        assumeTrue(fixture().refusesSecondWriter(), "cannot tell");
        TopicProbe topic = openTopic();
        TopicWriter first = topic.writer();
        first.close();
        TopicProbe next = probe(topic.name());
        next.write("a");
        first.close();

        Connection another = connect();
        assertThatThrownBy(
                        () -> another.openWriter(topic.name()),
                        "a second writer, as one that is closed already is closed again")
                .isInstanceOf(TransportException.class);
        next.write("b");
        assertThat(topic.read(2).texts()).containsExactly("a", "b");
    }

    @Test
    void secondCloseOfAReaderHasNoEffect() {
        assumeTrue(fixture().refusesSecondReader(), "cannot tell");
        TopicProbe topic = openTopic();
        TopicReader first = topic.reader();
        first.close();
        TopicProbe next = probe(topic.name());
        topic.write("a");
        next.reader();
        first.close();

        Connection another = connect();
        assertThatThrownBy(
                        () -> another.openReader(topic.name(), TopicProbe.CONSUMER),
                        "a second reader, as one that is closed already is closed again")
                .isInstanceOf(TransportException.class);
        assertThat(next.read(1).texts()).containsExactly("a");
    }

    @Test
    void closingOneConnectionLeavesTheOthersOpen() {
        TopicProbe topic = openTopic();
        Connection other = connect();
        other.openReader(topic.name(), "other");
        other.close();
        topic.write("a");

        assertThat(topic.read(1).texts()).containsExactly("a");
    }

    @Test
    void earlyClosedTransportFailsWithAMessage() {
        TopicProbe topic = openTopic();
        topic.write("a");
        transport().close();

        assertWorksOrSaysWhyNot(() -> topic.writer().flush());
        assertWorksOrSaysWhyNot(() -> topic.reader().poll(new Recorder(), 1));
        assertWorksOrSaysWhyNot(() -> connection().doWork());
        assertWorksOrSaysWhyNot(() -> connection().close());
    }

    private static void assertWorksOrSaysWhyNot(ThrowingCallable use) {
        Throwable thrown = catchThrowable(use);
        if (thrown != null) {
            assertThat(thrown)
                    .as("what a connection throws after its transport was closed")
                    .isInstanceOfAny(IllegalStateException.class, TransportException.class);
        }
    }

    @Test
    void aClosedTransportOpensNoConnection() {
        closeConnections();
        transport().close();

        assertThatThrownBy(() -> transport().connect(), "a connection of a closed transport")
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void closedTransportLeavesNothingBehind() {
        // The first round starts threads that a JVM starts once; those of the fixture run by then.
        useAndClose();
        Map<String, Long> before = threads();
        Map<String, Long> openBefore = OpenDescriptors.count();
        useAndClose();

        Awaitility.await().pollInSameThread().atMost(fixture().longestWait()).untilAsserted(() -> {
            assertThat(threads())
                    .allSatisfy((name, count) -> assertThat(count)
                            .as("threads named '%s'", name)
                            .isLessThanOrEqualTo(before.getOrDefault(name, 0L)));
            assertThat(OpenDescriptors.count())
                    .allSatisfy((name, count) -> assertThat(isOfTheServer(name) ? 0L : count)
                            .as("open descriptors of '%s' after everything was closed", name)
                            .isLessThanOrEqualTo(openBefore.getOrDefault(name, 0L)));
        });
    }

    /** {@return whether a server in this process may hold a descriptor open for longer than a test waits} */
    private boolean isOfTheServer(String descriptor) {
        return fixture().runsServerHere() && !descriptor.equals(OpenDescriptors.SOCKET);
    }

    @Test
    void closingAWriterLosesNothingOnItsWay() {
        TopicProbe topic = newTopic();
        topic.reader();
        List<String> expected = new ArrayList<>();
        List<String> read = new ArrayList<>();
        int batch = Math.min(FRAMES_OF_A_LIFE, fixture().backlog().orElse(FRAMES_OF_A_LIFE) / 2);
        for (int life = 1; life <= LIVES; life++) {
            // closed at once: its flushed frames may be in flight
            TopicProbe writing = probe(topic.name());
            assertThat(writing.writer().sequence())
                    .as("the newest frame that life %d finds; rule: the next open finds what a close has flushed", life)
                    .isEqualTo(expected.size());
            for (int i = 0; i < batch; i++) {
                String text = "life " + life + " frame " + i;
                writing.write(text);
                expected.add(text);
            }
            writing.writer().close();
            if (life % 2 == 0) {
                read.addAll(topic.take(2 * batch));
            }
        }
        assertThat(read)
                .as("frames of writers that were closed while these were on their way")
                .isEqualTo(expected);
    }

    @Test
    void closingAConnectionLosesNothingOnItsWay() {
        String name = newTopic().name();
        int batch = Math.min(FRAMES_OF_A_LIFE, fixture().backlog().orElse(FRAMES_OF_A_LIFE) / 2);
        for (int life = 1; life <= LIVES; life++) {
            TopicProbe writing = probe(name);
            assertThat(writing.writer().sequence())
                    .as("the newest frame that life %d finds; rule: the next open finds what a close has flushed", life)
                    .isEqualTo((long) (life - 1) * batch);
            for (int i = 0; i < batch; i++) {
                writing.write("life " + life + " frame " + i);
            }
            restart(Restart.CONNECTION);
            List<String> read = probe(name).take(batch);
            assertThat(read.get(0)).as("the first frame of a life").isEqualTo("life " + life + " frame 0");
            assertThat(read.get(batch - 1)).as("its last").isEqualTo("life " + life + " frame " + (batch - 1));
        }
    }

    private void useAndClose() {
        try (TransportFixture own = newFixture()) {
            try (Transport transport = own.open()) {
                String name = own.newTopic();
                transport.createTopics(List.of(name));
                try (Connection connection = transport.connect()) {
                    TopicProbe topic = new TopicProbe(name, connection, new Turns(own.longestWait(), connection));
                    topic.write("a", "b", "c");
                    topic.take(3);
                    topic.awaitStored();
                }
                transport.deleteTopics(List.of(name));
            }
            assertThat(own.leftovers()).isEmpty();
        }
    }

    /** Returns the number of threads of each name, in the group of this thread: another run of the contract may be in this JVM. */
    private static Map<String, Long> threads() {
        ThreadGroup own = Thread.currentThread().getThreadGroup();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getThreadGroup() == own)
                .collect(Collectors.groupingBy(Thread::getName, Collectors.counting()));
    }
}
