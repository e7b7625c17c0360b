package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.tck.Recorder.Received;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract on consumption: a frame is consumed when its handler returns DONE, and not otherwise. */
public abstract class ConsumptionTck extends TransportTck {
    /** Called by the test of a transport. */
    protected ConsumptionTck() {}

    @Test
    void handlerThatThrowsDoesNotConsumeItsFrame() {
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        FrameHandler explosive = (frame, position) -> {
            throw new Boom();
        };

        assertThatThrownBy(() -> pollUntilConsumed(topic.reader(), explosive, 10))
                .isInstanceOf(Boom.class);
        assertThatThrownBy(() -> pollUntilConsumed(topic.reader(), explosive, 10))
                .isInstanceOf(Boom.class);
        assertThat(topic.read(2).texts()).containsExactly("a", "b");
    }

    @Test
    void aPollOfNoFramesIsRefused() {
        TopicProbe topic = openTopic();
        topic.write("a");

        assertThatThrownBy(() -> topic.reader().poll(new Recorder(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
        assertThat(topic.read(1).texts()).containsExactly("a");
    }

    @Test
    void handlerThatThrowsHasConsumedTheFramesBefore() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        List<String> seen = new ArrayList<>();
        FrameHandler explodeOnB = (frame, position) -> {
            String text = Received.of(frame, position).text();
            seen.add(text);
            if (text.equals("b")) {
                throw new Boom();
            }
            return Verdict.DONE;
        };

        assertThatThrownBy(() -> turns().until(
                                "an explosion", "a poll throws what its handler throws (TopicReader.poll)", () -> {
                                    topic.reader().poll(explodeOnB, 10);
                                    return false;
                                }))
                .isInstanceOf(Boom.class);
        assertThat(seen).containsExactly("a", "b");
        assertThat(topic.read(2).texts()).containsExactly("b", "c");
    }

    @Test
    void retriedFrameComesFirstAtTheNextPoll() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        assertThat(topic.read(1).texts()).containsExactly("a");

        List<String> seen = new ArrayList<>();
        turns().until("a frame to refuse", "a frame that was not consumed is handed over (TopicReader.poll)", () -> {
            int consumed = topic.reader()
                    .poll(
                            (frame, position) -> {
                                seen.add(Received.of(frame, position).text());
                                return Verdict.RETRY;
                            },
                            10);
            assertThat(consumed).isZero();
            return !seen.isEmpty();
        });
        assertThat(seen).as("a refusal ends the poll").containsExactly("b");
        assertThat(topic.read(2).texts()).containsExactly("b", "c");
    }

    @Test
    void refusedFrameOnceAcknowledgedIsNotPolledAgain() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.reader().acknowledge(refusedPosition(topic));

        assertThat(topic.read(1).texts())
                .as("the frame after one that was refused and then acknowledged")
                .containsExactly("b");
        topic.reader().acknowledge(refusedPosition(topic));
        topic.write("d");
        assertThat(topic.read(1).texts())
                .as("the frame after the last frame of a batch that was refused and then acknowledged")
                .containsExactly("d");
    }

    @Test
    void acknowledgementOfARefusedFrameSurvivesARestart() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.awaitStored();
        topic.reader().acknowledge(refusedPosition(topic));
        restart(Restart.CONNECTION);

        assertThat(probe(topic.name()).read(2).texts()).containsExactly("b", "c");
    }

    /** Polls with a handler that refuses the next frame. */
    private long refusedPosition(TopicProbe topic) {
        long[] refused = {-1};
        turns().until("a frame to refuse", "a frame that was not consumed is handed over (TopicReader.poll)", () -> {
            topic.reader()
                    .poll(
                            (frame, position) -> {
                                refused[0] = position;
                                return Verdict.RETRY;
                            },
                            10);
            return refused[0] >= 0;
        });
        return refused[0];
    }

    @Test
    void pollCountsWhatCameBeforeARefusal() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "stop", "c");
        int[] consumed = {0};
        boolean[] refused = {false};
        turns().until("the refusal", "every frame is handed over (TopicReader.poll)", () -> {
            consumed[0] += topic.reader()
                    .poll(
                            (frame, position) -> {
                                refused[0] = Received.of(frame, position).text().equals("stop");
                                return refused[0] ? Verdict.RETRY : Verdict.DONE;
                            },
                            10);
            return refused[0];
        });

        assertThat(consumed[0]).isEqualTo(2);
        assertThat(topic.read(2).texts()).containsExactly("stop", "c");
    }

    @Test
    void redeliveredFrameIsTheSameFrame() {
        TopicProbe topic = openTopic();
        topic.commit(new byte[] {1, 2, 3}, 4, 5, 6, 7, 8);
        topic.writer().flush();

        List<Received> seen = new ArrayList<>();
        turns().until(
                        "the frame three times",
                        "a refused frame is the first of the next poll (TopicReader.poll)",
                        () -> {
                            topic.reader()
                                    .poll(
                                            (frame, position) -> {
                                                seen.add(Received.of(frame, position));
                                                return Verdict.RETRY;
                                            },
                                            1);
                            return seen.size() == 3;
                        });

        assertThat(seen.get(1)).usingRecursiveComparison().isEqualTo(seen.get(0));
        assertThat(seen.get(2)).usingRecursiveComparison().isEqualTo(seen.get(0));
    }

    @Test
    void noMoreThanTheLimitIsHandedOver() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c", "d", "e");
        Recorder recorder = new Recorder();

        turns().until("five frames", "every frame is handed over (TopicReader.poll)", () -> {
            int before = recorder.count();
            int consumed = topic.reader().poll(recorder, 2);
            assertThat(consumed).isLessThanOrEqualTo(2).isEqualTo(recorder.count() - before);
            return recorder.count() == 5;
        });
        assertThat(recorder.texts()).containsExactly("a", "b", "c", "d", "e");
    }

    private void pollUntilConsumed(TopicReader reader, FrameHandler handler, int limit) {
        turns().until(
                        "a frame",
                        "a poll throws what its handler throws (TopicReader.poll)",
                        () -> reader.poll(handler, limit) > 0);
    }

    private static final class Boom extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Boom() {
            super("thrown by a handler of the test");
        }
    }
}
