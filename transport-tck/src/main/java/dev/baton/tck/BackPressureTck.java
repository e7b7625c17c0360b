package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Frame;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TopicWriter.ConsumerLag;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract on back-pressure: a writer without room is refused by a value, nothing is dropped, and memory stays bounded. */
public abstract class BackPressureTck extends TransportTck {
    private static final int MOST_CLAIMS = 10_000;

    /** The number of frames written where only storage limits the backlog. */
    private static final int SOME = 100;

    /** Called by the test of a transport. */
    protected BackPressureTck() {}

    @Test
    void roomIsNeverMoreThanMaxRoom() {
        TopicProbe topic = openTopic();

        assertThat(topic.writer().capacity()).isPositive();
        assertThat(topic.writer().remainingCapacity())
                .isBetween(1, topic.writer().capacity());
    }

    @Test
    void roomReachesCapacityOnceAllIsRead() {
        TopicProbe topic = openTopic();
        TopicWriter writer = topic.writer();
        turns().until(
                        "all room of a new topic",
                        "a writer has all room when everything is read, acknowledged and stored (TopicWriter.capacity)",
                        () -> writer.remainingCapacity() == writer.capacity());

        topic.write("a", "b", "c");
        topic.take(3);
        topic.awaitStored();
        turns().until(
                        "all room again",
                        "a writer has all room when everything is read, acknowledged and stored (TopicWriter.capacity)",
                        () -> writer.remainingCapacity() == writer.capacity());
    }

    @Test
    void asManyCommitsAsRoomSucceed() {
        TopicWriter writer = openTopic().writer();
        int promised = Math.min(writer.remainingCapacity(), MOST_CLAIMS);
        for (int i = 0; i < promised; i++) {
            assertThat(commitOne(writer)).as("commit %d of %d", i + 1, promised).isTrue();
        }
        assertThat(writer.sequence()).isEqualTo(promised);
    }

    @Test
    void remainingCapacityIsTheNumberOfCommits() {
        TopicWriter writer = openTopic().writer();
        int anyLength = writer.remainingCapacity();
        int promised = writer.remainingCapacity(1);
        assertThat(promised).as("room for short frames").isGreaterThanOrEqualTo(anyLength);
        assertThat(writer.remainingCapacity(transport().maxPayload()))
                .as("room for the longest frames")
                .isGreaterThanOrEqualTo(anyLength);
        for (int i = 0; i < Math.min(promised, MOST_CLAIMS); i++) {
            assertThat(commitOne(writer)).as("commit %d of %d", i + 1, promised).isTrue();
        }
    }

    @Test
    void eachCommitTakesAtMostOneSlot() {
        TopicWriter writer = openTopic().writer();
        int room = writer.remainingCapacity();
        for (int i = 1; i <= 3 && room - i >= 0; i++) {
            assertThat(commitOne(writer)).isTrue();
            assertThat(writer.remainingCapacity()).isGreaterThanOrEqualTo(room - i);
        }
    }

    @Test
    void writerWithoutFlushIsRefusedAtABound() {
        TopicProbe topic = openTopic();
        TopicWriter writer = topic.writer();
        long written = writeUntilRefused(writer, writer.capacity(), false);
        assertThat(writer.remainingCapacity()).isZero();

        writer.flush();
        assertAllArrive(topic, written);
    }

    @Test
    void stoppedReaderLeavesNoRoomAtABound() {
        assumeBoundedBacklog();
        TopicProbe topic = openTopic();
        TopicWriter writer = topic.writer();
        long written = writeUntilRefused(writer, fixture().backlog().getAsInt(), true);

        assertThat(writer.remainingCapacity()).isZero();
        assertThat(writer.claim(1)).isNull();
        assertThat(writer.claim(1)).as("a refused claim is not open").isNull();
        assertThat(writer.sequence()).isEqualTo(written);
        assertAllArrive(topic, written);
    }

    @Test
    void roomComesBackWhenTheReaderGoesOn() {
        assumeBoundedBacklog();
        TopicProbe topic = openTopic();
        TopicWriter writer = topic.writer();
        int bound = fixture().backlog().getAsInt();
        long written = writeUntilRefused(writer, bound, true);
        for (int round = 0; round < 3; round++) {
            int half = (int) (written / 2);
            topic.reader().acknowledge(topic.read(half).lastPosition());
            turns().until(
                            "room after " + half + " frames were read",
                            "what is acknowledged by every consumer makes room (TopicWriter.remainingCapacity)",
                            () -> writer.remainingCapacity() > 0);
            Recorder rest = topic.read((int) written - half);
            topic.reader().acknowledge(rest.lastPosition());
            written = writeUntilRefused(writer, bound, true);
        }
        assertThat(topic.read((int) written).sequences()).endsWith(writer.sequence());
    }

    @Test
    void framesBeforeTheFirstReaderAreKept() {
        TopicProbe topic = newTopic();
        // More than the limit, as frames of a topic without readers count as unread.
        int tries = Math.min(fixture().backlog().orElse(MOST_CLAIMS), MOST_CLAIMS) + 10;
        long written = 0;
        while (written < tries && commitOne(topic.writer())) {
            topic.writer().flush();
            written++;
        }
        assertAllArrive(topic, written);
    }

    @Test
    void theSlowestConsumerDecidesWhatIsOverwritten() {
        TopicProbe topic = openTopic();
        TopicReader slow = connection().openReader(topic.name(), "slow");
        long written = 0;
        for (int tries = fewFrames(); tries > 0 && commitOne(topic.writer()); tries--) {
            topic.writer().flush();
            topic.take(1);
            written++;
        }
        assertThat(topic.read(slow, (int) written).sequences())
                .as("frames of a consumer that read after another one had acknowledged them")
                .isEqualTo(upTo(written));
    }

    @Test
    void framesReadButNotAcknowledgedAreNotOverwritten() {
        TopicProbe topic = openTopic();
        long written = 0;
        for (int tries = fewFrames(); tries > 0 && commitOne(topic.writer()); tries--) {
            topic.writer().flush();
            topic.read(1);
            written++;
        }
        topic.awaitStored();
        restart(Restart.CONNECTION);

        assertThat(probe(topic.name()).read((int) written).sequences())
                .as("unacknowledged frames of a reopened consumer")
                .isEqualTo(upTo(written));
    }

    @Test
    void consumerThatHoldsTopicBackIsNamed() {
        assumeBoundedBacklog();
        TopicProbe topic = openTopic();
        TopicReader stopped = connection().openReader(topic.name(), "stopped");
        stopped.close();
        long written = 0;
        long read = 0;
        while (commitOne(topic.writer())) {
            topic.writer().flush();
            topic.take(1);
            written++;
            read++;
            assertThat(written)
                    .as("frames before a refusal")
                    .isLessThanOrEqualTo(fixture().backlog().getAsInt());
        }

        assertThat(topic.writer().slowestConsumer())
                .as("the consumer that holds back a topic whose other consumer has acknowledged all %d frames", read)
                .isEqualTo(new ConsumerLag("stopped", written));
    }

    @Test
    void observingConsumerHoldsNothingBack() {
        assumeTrue(isDurable(), "topics end with the process here, and their consumers with them");
        TopicProbe topic = openTopic();
        connection().openReader(topic.name(), ObservingConsumer.name("what-if"));
        int frames = Math.min(fixture().backlog().orElse(SOME), MOST_CLAIMS) + 10;
        for (int i = 1; i <= frames; i++) {
            turns().until(
                            "room for frame " + i + " of a topic that an observing consumer does not read",
                            () -> topic.writer().remainingCapacity() > 0);
            assertThat(commitOne(topic.writer())).isTrue();
            topic.writer().flush();
            topic.take(1);
        }
    }

    @Test
    void observingConsumerContinuesWhereItWas() {
        assumeTrue(isDurable(), "topics end with the process here, and their consumers with them");
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        String observer = ObservingConsumer.name("what-if");
        try (TopicReader first = connection().openReader(topic.name(), observer)) {
            first.acknowledge(topic.read(first, 2).lastPosition());
        }
        assertThat(topic.read(connection().openReader(topic.name(), observer), 1)
                        .texts())
                .as("the frame after those that an observing consumer has acknowledged")
                .containsExactly("c");
    }

    @Test
    void noConsumerIsNamedWhenAllIsAcknowledged() {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.take(2);
        topic.awaitStored();

        assertThat(topic.writer().slowestConsumer())
                .as("the consumer that holds back a topic whose frames are all acknowledged")
                .isNull();
    }

    /** Returns a number of frames above the bound of a topic, if it has one. */
    private int fewFrames() {
        return Math.min(fixture().backlog().orElse(SOME), MOST_CLAIMS) + 10;
    }

    /** Skips a test if only storage limits the backlog. */
    private void assumeBoundedBacklog() {
        assumeTrue(fixture().backlog().isPresent(), "a stopped reader does not stop the writer here");
    }

    private static long writeUntilRefused(TopicWriter writer, int bound, boolean flushEach) {
        long written = 0;
        while (commitOne(writer)) {
            written++;
            assertThat(written).as("frames before a refusal").isLessThanOrEqualTo(bound);
            if (flushEach) {
                writer.flush();
            }
        }
        return written;
    }

    private static boolean commitOne(TopicWriter writer) {
        Frame frame = writer.claim(1);
        if (frame == null) {
            return false;
        }
        frame.putByte(0, (byte) 1);
        frame.stamp(0, 0, 0, 0, 0);
        writer.commit(1);
        return true;
    }

    private static void assertAllArrive(TopicProbe topic, long count) {
        assertThat(topic.read((int) count).sequences()).isEqualTo(upTo(count));
    }

    private static List<Long> upTo(long count) {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }
}
