package dev.baton.tck.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.spi.Connection;
import dev.baton.spi.Incarnation;
import dev.baton.spi.Opening;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import dev.baton.tck.harness.OtherThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The contract on two writers of one topic: the newest fences the older one, which fails, and readers drop frames that it stores later.
 */
public abstract class RivalWritersTck extends RivalsTck {
    private static final int FRAMES = 3;

    /** Called by the test of a transport. */
    protected RivalWritersTck() {}

    @Test
    void readersDropLateFramesOfAnOlderWriter() {
        TopicProbe older = newTopic();
        older.write("a 1", "a 2");
        older.awaitStored();
        TopicProbe early = rival();
        assertThat(early.take(1)).containsExactly("a 1");

        TopicProbe newer = rival();
        assertThat(newer.writer().sequence()).isEqualTo(2);
        newer.write("b 1", "b 2");
        newer.awaitStored();
        String told = awaitReplaced(older, "late 1", "late 2");
        assertThat(told).contains(name);
        assertThat(older.writer().storedSequence())
                .as("the sequence without dropped frames")
                .isEqualTo(2);
        newer.write("b 3");
        newer.awaitStored();

        assertThat(early.read(4).texts()).containsExactly("a 2", "b 1", "b 2", "b 3");
        early.reader().close();
        if (fixture.keepsAcknowledgedFrames()) {
            assertHolds("a 1", "a 2", "b 1", "b 2", "b 3");
        } else {
            TopicProbe again = rival();
            assertThat(again.read(4).texts())
                    .as("the unacknowledged frames of a reopened consumer")
                    .containsExactly("a 2", "b 1", "b 2", "b 3");
            assertThat(again.writer().sequence()).isEqualTo(5);
        }
    }

    @Test
    void writersContinueATopicWithDroppedFrames() {
        TopicProbe first = newTopic();
        first.write("0");
        first.awaitStored();
        List<String> expected = new ArrayList<>(List.of("0"));
        TopicProbe before = first;
        for (int round = 1; round <= 4; round++) {
            TopicProbe next = rival();
            assertThat(next.writer().sequence())
                    .as("continues behind the valid frames")
                    .isEqualTo(round);
            awaitReplaced(before, "late " + round);
            if (round % 2 == 0) {
                TopicProbe idle = next; // replaced by another one before it wrote anything
                next = rival();
                assertThat(next.writer().sequence())
                        .as("continues behind the valid frames")
                        .isEqualTo(round);
                awaitReplaced(idle, "idle " + round);
            }
            next.write("round " + round);
            next.awaitStored();
            expected.add("round " + round);
            before = next;
        }
        assertHolds(expected.toArray(new String[0]));
    }

    @Test
    void openingKnowsWhetherItsWriterIsTheNewest() {
        TopicProbe older = newTopic();
        Connection connection = connectionOf(older);
        Opening<TopicWriter> opening = connection.beginWriter(name, Incarnation.NO_TOPOLOGY);
        opening.prepare();
        if (opening.isAtOnce()) {
            opening.finish();
        }
        assertThatCode(opening::requireNewest).as("the newest writer").doesNotThrowAnyException();

        rival().write("a");
        assertThatThrownBy(opening::requireNewest)
                .isInstanceOf(ReplacedException.class)
                .hasMessageContaining(name);
        if (!opening.isAtOnce()) {
            opening.withdraw();
        }
    }

    @Test
    void lateFramesDoNotMoveTheSuccessor() {
        TopicProbe first = newTopic();
        first.write("a");
        first.awaitStored();
        TopicProbe second = rival();
        second.writer();
        awaitReplaced(first, "late");

        TopicProbe third = rival();
        assertThat(third.writer().sequence())
                .as("continues behind the valid frames")
                .isEqualTo(1);
        assertThat(third.writer().found().writer()).isEqualTo(first.writer().incarnation());
        third.write("b");
        third.awaitStored();
        assertHolds("a", "b");
    }

    @Test
    void aWriterThatWritesNothingIsToldSoon() {
        TopicProbe idle = newTopic();
        idle.write("a");
        idle.awaitStored();
        TopicProbe newer = rival();
        newer.writer();

        long start = System.nanoTime();
        awaitReplaced(idle);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(fixture.replacedWithin());
    }

    @Test
    void stalledWriterIsFencedWhenItContinues() {
        TopicProbe stalled = newTopic();
        stalled.write("a");
        stalled.awaitStored();
        stalled.commit("committed, not flushed");

        TopicProbe newer = rival();
        for (int i = 0; i < 10; i++) {
            newer.write("b " + i);
            newer.awaitStored();
        }
        awaitReplaced(stalled);
        assertThat(stalled.writer().storedSequence()).isEqualTo(1);
        assertThat(newer.writer().sequence()).isEqualTo(11);
        rival().read(11);
    }

    @Test
    void onlyTheWriterThatWasReplacedFails() {
        TopicProbe replaced = newTopic();
        String other = fixture.newTopic();
        transport.createTopics(List.of(other));
        TopicProbe untouched = probe(connectionOf(replaced), other);
        replaced.write("a");
        untouched.write("x");
        rival().writer();
        awaitReplaced(replaced);

        untouched.write("y");
        untouched.awaitStored();
        assertThat(untouched.read(2).texts()).containsExactly("x", "y");
    }

    @Test
    void concurrentOpensLeaveOneWriterAndConfirmedFrames() throws Exception {
        newTopic();
        Transport other = closing(fixture.openAnother());
        List<String> confirmed = Collections.synchronizedList(new ArrayList<>());
        List<String> otherEnds = Collections.synchronizedList(new ArrayList<>());
        int most = fixture.backlog().orElse(Integer.MAX_VALUE) / (2 * FRAMES); // no reader frees slots meanwhile
        int rounds = Math.min(most, fixture.manyFrames() > 5_000 ? 50 : 10);
        for (int round = 1; round <= rounds; round++) {
            CyclicBarrier start = new CyclicBarrier(2);
            String text = round + " ";
            FutureTask<Void> rivals =
                    OtherThread.start("rival", () -> openAndWrite(other, start, "b " + text, confirmed, otherEnds));
            openAndWrite(transport, start, "a " + text, confirmed, otherEnds);
            OtherThread.outcome(rivals);
        }
        TopicProbe reading = rival();
        int frames = (int) reading.writer().sequence();
        Recorder all = reading.read(frames);
        assertThat(all.sequences())
                .isEqualTo(LongStream.rangeClosed(1, frames).boxed().toList());
        assertThat(all.texts()).containsAll(confirmed).doesNotHaveDuplicates();
        assertThat(otherEnds).as("writers that ended otherwise than replaced").isEmpty();
    }

    private Void openAndWrite(
            Transport through, CyclicBarrier start, String text, List<String> confirmed, List<String> otherEnds)
            throws Exception {
        try (Connection connection = through.connect()) {
            TopicProbe topic = probe(connection, name);
            start.await();
            try {
                topic.writer();
            } catch (TransportException replacedMeanwhile) {
                assertReplaced(replacedMeanwhile, otherEnds);
                return null;
            }
            long before = topic.writer().sequence();
            try {
                for (int i = 1; i <= FRAMES; i++) {
                    topic.write(text + i);
                }
                topic.awaitStored();
            } catch (TransportException told) {
                assertReplaced(told, otherEnds);
            }
            for (int i = 1; i <= topic.writer().storedSequence() - before; i++) {
                confirmed.add(text + i);
            }
        } catch (TransportException toldAtClose) {
            assertReplaced(toldAtClose, otherEnds);
        }
        return null;
    }

    private void assertReplaced(TransportException told, List<String> otherEnds) {
        assertThat(told).hasMessageContaining(name);
        if (!(told instanceof ReplacedException)) {
            otherEnds.add(told.toString());
        }
    }

    private void assertHolds(String... texts) {
        TopicProbe later = rival();
        Recorder read = later.read(connectionOf(later).openReader(name, "later"), texts.length);
        assertThat(read.texts()).containsExactly(texts);
        assertThat(read.sequences())
                .isEqualTo(LongStream.rangeClosed(1, texts.length).boxed().toList());
        assertThat(later.writer().sequence()).isEqualTo(texts.length);
        try (TopicInspector inspector = transport.inspect(name)) {
            Recorder seen = new Recorder();
            while (inspector.read(seen, 10) > 0) { // until nothing newer is stored
                assertThat(seen.count()).as("frames of an inspector").isLessThanOrEqualTo(texts.length);
            }
            assertThat(seen.texts()).containsExactly(texts);
            assertThat(inspector.newestSequence()).isEqualTo(texts.length);
        }
    }

    /**
     * Commits frames, flushes them, takes turns until the writer reports that it was replaced, and returns the report. On a slow machine
     * the commit may report it.
     */
    private String awaitReplaced(TopicProbe topic, String... late) {
        Turns turns = new Turns(fixture.longestWait(), connectionOf(topic));
        Throwable told = catchThrowable(
                // of the writer, or of a turn, whichever is first
                () -> {
                    topic.commit(late);
                    turns.until(
                            "the end of a writer that was replaced",
                            "the newest writer of a topic wins, and the other one fails (Connection.openWriter)",
                            () -> {
                                topic.writer().flush();
                                return false;
                            });
                });
        assertThat(told).as("the end of a writer that was replaced").isInstanceOf(ReplacedException.class);
        assertThatThrownBy(() -> topic.writer().remainingCapacity()).isInstanceOf(ReplacedException.class);
        assertThatThrownBy(() -> topic.writer().claim(1)).isInstanceOf(ReplacedException.class);
        return told.getMessage();
    }
}
