package dev.baton.tck.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportTck;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract on inspection: frames and backlogs are visible without a consumer. */
public abstract class InspectionTck extends TransportTck {
    /** A limit above the number of frames of any of these tests. */
    private static final int MANY = 10_000;

    /** Called by the test of a transport. */
    protected InspectionTck() {}

    @Test
    void readerReportsItsBacklog() {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c", "d");
        topic.awaitStored();
        topic.read(1);

        awaitBacklog(topic.reader(), 3);
        topic.read(3);
        awaitBacklog(topic.reader(), 0);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void backlogIsKnownWithoutALiveWriter(Restart what) {
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.take(1);
        topic.awaitStored();
        restart(what);

        TopicReader again = probe(topic.name()).reader();
        awaitBacklog(again, 2);
    }

    @Test
    void anInspectorReadsEverythingAndConsumesNothing() {
        assumeTrue(isDurable(), "keeps nothing that could be looked at");
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.write("c");
        topic.take(2);
        topic.awaitStored();

        try (TopicInspector inspector = transport().inspect(topic.name())) {
            List<String> seen = readAll(inspector).texts();
            if (fixture().keepsAcknowledgedFrames()) {
                assertThat(seen).containsExactly("a", "b", "c");
            } else {
                assertThat(List.of("a", "b", "c"))
                        .as("an end of what was written, as acknowledged frames may be gone")
                        .endsWith(seen.toArray(new String[0]));
                assertThat(seen).as("the frame that is not acknowledged").contains("c");
            }
            assertThat(readAll(inspector).texts()).as("nothing new").isEmpty();
            topic.write("d");
            topic.awaitStored();
            assertThat(readAll(inspector).sequences()).containsExactly(4L);
        }
        restart(Restart.CONNECTION); // an open reader may have a newer position than the stored one
        TopicProbe again = probe(topic.name());
        assertThat(again.reader().found().acknowledged())
                .as("the position of the consumer after an inspection")
                .isIn(2L, TopicReader.UNKNOWN);
        assertThat(again.read(2).texts()).as("left to the consumer").containsExactly("c", "d");
    }

    @Test
    void anInspectorTellsWhoWroteTheFrames() {
        assumeTrue(isDurable(), "keeps nothing that could be looked at");
        TopicProbe topic = openTopic();
        topic.write("a", "b");
        topic.awaitStored();
        Incarnation first = topic.writer().incarnation();
        assumeTrue(first != null, "cannot tell");
        restart(Restart.CONNECTION);
        TopicProbe again = probe(topic.name());
        again.write("c");
        again.awaitStored();
        Incarnation second = again.writer().incarnation();

        List<String> told = new ArrayList<>();
        try (TopicInspector inspector = transport().inspect(topic.name())) {
            FrameHandler handler = new FrameHandler() {
                @Override
                public void onWriter(Incarnation writer) {
                    told.add(writer.id() == first.id() ? "first" : writer.id() == second.id() ? "second" : "another");
                }

                @Override
                public Verdict onFrame(Frame frame, long position) {
                    told.add(Long.toString(frame.sequence()));
                    return Verdict.DONE;
                }
            };
            turns().until(
                            "three frames",
                            "an inspector sees every stored frame (TopicInspector.read)",
                            () -> inspector.read(handler, 1) == 0 && told.contains("3"));
        }
        assertThat(told).containsExactly("first", "1", "2", "second", "3");
    }

    @Test
    void inspectorHandsRefusedFramesOverAgain() {
        assumeTrue(isDurable(), "keeps nothing that could be looked at");
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.awaitStored();

        try (TopicInspector inspector = transport().inspect(topic.name())) {
            Recorder seen = new Recorder();
            int taken = inspector.read(
                    (frame, position) -> {
                        seen.onFrame(frame, position);
                        return frame.sequence() == 2 ? Verdict.RETRY : Verdict.DONE;
                    },
                    10);
            assertThat(taken).isEqualTo(1);
            assertThat(inspector.read(seen, 1)).isEqualTo(1);
            assertThat(seen.texts()).containsExactly("a", "b", "b");
            assertThatThrownBy(() -> inspector.read(seen, 0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void inspectorReportsNewestAndAcknowledgedSequences(Restart what) {
        assumeTrue(isDurable(), "keeps nothing that could be looked at");
        TopicProbe topic = openTopic();
        topic.write("a", "b", "c");
        topic.take(2);
        topic.awaitStored();
        restart(what);

        try (TopicInspector inspector = transport().inspect(topic.name())) {
            assertThat(inspector.newestSequence()).isEqualTo(3);
            assertThat(inspector.acknowledged().get(TopicProbe.CONSUMER)).isIn(2L, TopicReader.UNKNOWN);
        }
    }

    @Test
    void anEmptyTopicHasNothingToShow() {
        assumeTrue(isDurable(), "keeps nothing that could be looked at");
        TopicProbe topic = newTopic();

        try (TopicInspector inspector = transport().inspect(topic.name())) {
            assertThat(readAll(inspector).frames()).isEmpty();
            assertThat(inspector.newestSequence()).isZero();
            assertThat(inspector.acknowledged()).isEmpty();
        }
    }

    @Test
    void missingOrVolatileTopicsCannotBeInspected() {
        String missing = isDurable() ? fixture().newTopic() : newTopic().name();

        assertThatThrownBy(() -> transport().inspect(missing)).isInstanceOf(TransportException.class);
        assertThat(transport().topics().contains(missing))
                .as("asking has made nothing")
                .isEqualTo(!isDurable());
    }

    @Test
    void aClosedInspectorSaysSo() {
        assumeTrue(isDurable(), "keeps nothing that could be looked at");
        TopicProbe topic = newTopic();
        TopicInspector inspector = transport().inspect(topic.name());
        inspector.close();
        inspector.close();

        assertThatThrownBy(inspector::newestSequence).isInstanceOf(IllegalStateException.class);
        transport().deleteTopics(List.of(topic.name()));
        assertThat(transport().topics()).doesNotContain(topic.name());
    }

    private void awaitBacklog(TopicReader reader, long frames) {
        turns().until(
                        "a backlog of " + frames,
                        "a reader counts the frames behind the last one consumed (TopicReader.backlog)",
                        () -> reader.backlog() == frames);
    }

    private static Recorder readAll(TopicInspector inspector) {
        Recorder recorder = new Recorder();
        while (inspector.read(recorder, 2) > 0) { // until nothing newer is stored
            assertThat(recorder.count()).as("frames of an inspector").isLessThanOrEqualTo(MANY);
        }
        return recorder;
    }
}
