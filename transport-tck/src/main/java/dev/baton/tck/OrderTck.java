package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicWriter;
import dev.baton.tck.Recorder.Received;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract on order: readers of a topic get the frames in the writer's order, none lost or duplicated. */
public abstract class OrderTck extends TransportTck {
    private static final int FRAMES = 2_000;
    private static final int LONGEST_BATCH = 16;

    /** Called by the test of a transport. */
    protected OrderTck() {}

    @Test
    void aTopicWithoutFramesAnswersZero() {
        TopicProbe topic = openTopic();
        turns().settle(fixture().settle());

        assertThat(topic.reader().poll(new Recorder(), 10)).isZero();
        assertThat(topic.writer().sequence()).isZero();
        assertThat(topic.writer().storedSequence()).isZero();
    }

    @Test
    void oneFrameArrivesOnce() {
        TopicProbe topic = openTopic();
        topic.write("only");
        assertThat(topic.read(1).texts()).containsExactly("only");

        topic.write("end");
        assertThat(topic.read(1).texts()).as("the next frame").containsExactly("end");
    }

    @Test
    void sequencesCountFromOneWithoutGaps() {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.write("c");

        assertThat(topic.read(3).sequences()).containsExactly(1L, 2L, 3L);
        assertThat(topic.writer().sequence()).isEqualTo(3);
    }

    @Test
    void positionsRise() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.write("d");

        List<Long> positions =
                topic.read(4).frames().stream().map(Received::position).toList();
        assertThat(positions).isSorted().doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "limit {0}")
    @ValueSource(ints = {1, 3, 256})
    void manyFramesArriveInOrderInAnyBatches(int limit) {
        Random random = new Random(limit);
        TopicProbe topic = openTopic();
        TopicWriter writer = topic.writer();
        Recorder recorder = new Recorder();

        Turns turns = turns();
        while (recorder.count() < FRAMES) {
            turns.until(
                    "more of " + FRAMES + " frames",
                    "a topic neither stops its writer for good nor keeps frames back",
                    () -> {
                        int batch = (int) Math.min(
                                Math.min(random.nextInt(LONGEST_BATCH + 1), writer.remainingCapacity()),
                                FRAMES - writer.sequence());
                        for (int i = 0; i < batch; i++) {
                            topic.commit("frame " + (writer.sequence() + 1));
                        }
                        writer.flush();
                        int consumed = topic.reader().poll(recorder, limit);
                        assertThat(consumed).isBetween(0, limit);
                        if (consumed > 0) {
                            topic.reader().acknowledge(recorder.lastPosition());
                        }
                        return batch + consumed > 0;
                    });
            connection().doWork();
        }

        assertThat(recorder.sequences())
                .isEqualTo(LongStream.rangeClosed(1, FRAMES).boxed().toList());
        assertThat(recorder.texts())
                .isEqualTo(LongStream.rangeClosed(1, FRAMES)
                        .mapToObj(n -> "frame " + n)
                        .toList());
    }

    @Test
    void handlerMayWriteToAnotherTopic() {
        TopicProbe from = openTopic();
        TopicProbe to = openTopic();
        from.write("a", "b", "c");

        int[] forwarded = {0};
        turns().until("three frames forwarded", "a handler may write to another topic of its connection", () -> {
            forwarded[0] += from.reader()
                    .poll(
                            (frame, position) -> {
                                frame.validate();
                                var claim = to.writer().claim(frame.length());
                                if (claim == null) {
                                    return Verdict.RETRY;
                                }
                                claim.putPayload(frame, frame.length());
                                claim.stamp(frame.servicesPassed() + 1, 0, frame.sequence(), 0, 0);
                                to.writer().commit(frame.length());
                                return Verdict.DONE;
                            },
                            10);
            to.writer().flush();
            return forwarded[0] == 3;
        });

        assertThat(to.read(3).texts()).containsExactly("a", "b", "c");
    }

    @Test
    void topicsOfOneConnectionDoNotMix() {
        List<TopicProbe> topics = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            topics.add(openTopic());
        }
        for (int round = 0; round < 3; round++) {
            for (TopicProbe topic : topics) {
                topic.write(topic.name() + "/" + round);
            }
        }
        for (TopicProbe topic : topics) {
            assertThat(topic.read(3).texts())
                    .containsExactly(topic.name() + "/0", topic.name() + "/1", topic.name() + "/2");
        }
    }
}
