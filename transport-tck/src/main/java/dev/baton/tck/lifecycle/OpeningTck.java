package dev.baton.tck.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Incarnation;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportTck;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract on opening in two steps: the result is that of one step, and a withdrawn opening leaves nothing behind. */
public abstract class OpeningTck extends TransportTck {
    private static final long STEP_LIMIT_SECONDS = 60;
    private static final int MOST_FRAMES = 500;
    private static final String NEW = "new";

    /** Called by the test of a transport. */
    protected OpeningTck() {}

    @Test
    void writerPreparedElsewhereContinuesBehindTheNewestFrame() {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.awaitStored();
        topic.writer().close();

        TopicWriter writer = prepared(beginWriter(topic)).finish();
        assertThat(writer.sequence()).isEqualTo(2);
        assertThat(writer.storedSequence()).isEqualTo(2);
        writer.close();

        probe(topic.name()).write("c");
        assertThat(topic.read(3).texts()).containsExactly("a", "b", "c");
    }

    @Test
    void withdrawnWriterAdmitsAnother() {
        TopicProbe topic = newTopic();
        topic.reader();
        Opening<TopicWriter> opening = prepared(beginWriter(topic));
        byAnotherThread(opening::withdraw);

        topic.write("a");
        assertThat(topic.read(1).texts()).containsExactly("a");
    }

    @Test
    void readerPreparedElsewhereContinuesBehindItsPosition() {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.take(1);
        topic.reader().close();

        TopicReader reader = prepared(beginReader(topic)).finish();
        assertThat(topic.read(reader, 1).texts()).containsExactly("b");
    }

    @Test
    void withdrawnReaderAdmitsAnother() {
        TopicProbe topic = newTopic();
        Opening<TopicReader> opening = prepared(beginReader(topic));
        byAnotherThread(opening::withdraw);

        topic.write("a");
        assertThat(topic.read(1).texts()).containsExactly("a");
    }

    @Test
    void withdrawnReaderOfANewConsumerHoldsNothingBack() {
        TopicProbe topic = newTopic();
        Opening<TopicReader> opening = prepared(beginReader(topic, NEW));
        byAnotherThread(opening::withdraw);

        assertIsNotHeldBack(topic);
    }

    @Test
    void readerOfAClosedConnectionHoldsNothingBack() {
        TopicProbe topic = newTopic();
        Opening<TopicReader> opening = prepared(beginReader(topic, NEW));
        closeConnections();
        assertThatThrownBy(opening::finish, "the second step of an opening whose connection is closed")
                .isInstanceOf(IllegalStateException.class);
        restart(Restart.CONNECTION);

        assertIsNotHeldBack(probe(topic.name()));
    }

    private static void assertIsNotHeldBack(TopicProbe topic) {
        topic.write("a");
        topic.take(1);
        topic.awaitStored();
        assertThat(topic.writer().slowestConsumer())
                .as(
                        "the consumer that holds back a topic whose one reader has acknowledged everything; rule: an opening that"
                                + " is withdrawn, or that fails, has released everything (Opening)")
                .isNull();
    }

    @Test
    void framesBehindAWithdrawnReaderAreKept() {
        TopicProbe topic = newTopic();
        Opening<TopicReader> opening = prepared(beginReader(topic, NEW));
        byAnotherThread(opening::withdraw);
        int frames = 0;
        while (frames < MOST_FRAMES && topic.writer().remainingCapacity() > 0) {
            topic.write("frame");
            frames++;
        }

        assertThat(topic.read(frames).sequences())
                .as("frames of the first consumer of a topic")
                .isEqualTo(LongStream.rangeClosed(1, frames).boxed().toList());
    }

    @Test
    void readerClosedInStepsStoresItsPosition() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.take(2);
        turns().until(
                        "a closed reader",
                        "a reader that is closed step by step is closed within the option timeout (TopicReader.tryClose)",
                        topic.reader()::tryClose);
        assertThat(topic.reader().tryClose()).isTrue();
        topic.reader().close();

        assertThat(probe(topic.name()).read(1).texts()).containsExactly("c");
    }

    private Opening<TopicWriter> beginWriter(TopicProbe topic) {
        return connection().beginWriter(topic.name(), Incarnation.NO_TOPOLOGY);
    }

    private Opening<TopicReader> beginReader(TopicProbe topic) {
        return beginReader(topic, TopicProbe.CONSUMER);
    }

    private Opening<TopicReader> beginReader(TopicProbe topic, String consumer) {
        return connection().beginReader(topic.name(), consumer, StartPosition.stored());
    }

    private static <T> Opening<T> prepared(Opening<T> opening) {
        byAnotherThread(opening::prepare);
        return opening;
    }

    private static void byAnotherThread(Runnable step) {
        CompletableFuture.runAsync(step, task -> new Thread(task, "opener").start())
                .orTimeout(STEP_LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
