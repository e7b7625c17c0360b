package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Guarantee;
import dev.baton.spi.ReplacedException;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two processes that hold themselves for the writer of a topic, or for a consumer: the newest wins, the other one is told,
 * and nobody's topic breaks. For transports that cross processes and do not keep rivals out.
 */
public abstract class RivalsTck extends WholeChainTck {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(20);
    private static final int FRAMES = 3;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Map<TopicProbe, Connection> connections = new IdentityHashMap<>();
    private String name;

    /** For transports. */
    protected RivalsTck() {}

    @BeforeEach
    final void skipWhereRivalsAreKeptOut() {
        Set<Guarantee> guarantees = transport.guarantees();
        assumeTrue(guarantees.contains(Guarantee.CROSS_PROCESS), "stays in its process");
        assumeFalse(guarantees.contains(Guarantee.EXCLUSIVE), "keeps rivals out");
        name = fixture.newTopic();
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    @Test
    void whatAnOlderWriterStoresAfterANewerOneBeganIsDroppedByEveryReader() {
        TopicProbe older = newTopic();
        older.write("a 1", "a 2");
        older.awaitStored();
        TopicProbe early = rival();
        assertThat(early.take(1)).containsExactly("a 1");

        TopicProbe newer = rival();
        assertThat(newer.writer().sequence()).isEqualTo(2);
        newer.write("b 1", "b 2");
        newer.awaitStored();
        older.commit("late 1", "late 2");
        String told = awaitReplaced(older);
        assertThat(told).contains(name);
        assertThat(older.writer().storedSequence())
                .as("counts nothing that is dropped")
                .isEqualTo(2);
        newer.write("b 3");
        newer.awaitStored();

        assertThat(early.read(4).texts()).containsExactly("a 2", "b 1", "b 2", "b 3");
        early.reader().close();
        assertHolds("a 1", "a 2", "b 1", "b 2", "b 3");
    }

    @Test
    void aTopicWithDroppedFramesIsWrittenOnByAnyNumberOfWriters() {
        TopicProbe first = newTopic();
        first.write("0");
        first.awaitStored();
        List<String> expected = new ArrayList<>(List.of("0"));
        TopicProbe before = first;
        for (int round = 1; round <= 4; round++) {
            TopicProbe next = rival();
            assertThat(next.writer().sequence()).isEqualTo(round);
            before.commit("late " + round);
            awaitReplaced(before);
            if (round % 2 == 0) {
                TopicProbe idle = next; // replaced by another one before it wrote anything
                next = rival();
                assertThat(next.writer().sequence()).isEqualTo(round);
                idle.commit("idle " + round);
                awaitReplaced(idle);
            }
            next.write("round " + round);
            next.awaitStored();
            expected.add("round " + round);
            before = next;
        }
        assertHolds(expected.toArray(new String[0]));
    }

    @Test
    void aWriterThatWasReplacedBeforeItWroteAnythingHasNoSuccessorGoOnBehindItsFrames() {
        TopicProbe first = newTopic();
        first.write("a");
        first.awaitStored();
        TopicProbe second = rival();
        second.writer();
        first.commit("late");
        awaitReplaced(first);

        TopicProbe third = rival();
        assertThat(third.writer().sequence()).isEqualTo(1);
        assertThat(third.writer().predecessor()).isEqualTo(first.writer().incarnation());
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
    void aWriterThatStoodStillIsToldWhenItGoesOnAndNothingOfItCounts() {
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
    void theNewestReaderIsTheConsumerAndItsPositionStays() {
        TopicProbe older = newTopic();
        older.write("1", "2", "3", "4", "5");
        older.awaitStored();
        assertThat(older.take(2)).containsExactly("1", "2");
        TopicProbe newer = rival();
        Recorder read = newer.read(5 - (int) Math.max(0, newer.reader().sequenceAtOpen()));
        newer.reader().acknowledge(read.lastPosition());
        newer.reader().close();

        assertThat(older.take(1)).as("it does not know yet").containsExactly("3");
        new Turns(fixture.longestWait(), connectionOf(older)).until("the end of a reader that was replaced", () -> {
            try {
                older.reader().poll((frame, position) -> FrameHandler.Verdict.RETRY, 1);
                return false;
            } catch (ReplacedException told) {
                assertThat(told).hasMessageContainingAll(name, TopicProbe.CONSUMER);
                return true;
            }
        });
        older.reader().close();
        assertThat(rival().reader().sequenceAtOpen()).isIn(5L, TopicReader.UNKNOWN);
    }

    @Test
    void aReaderThatLearnsAtItsCloseThatItWasReplacedStoresNothing() {
        TopicProbe older = newTopic();
        older.write("1", "2", "3");
        older.awaitStored();
        Recorder read = older.read(1);
        TopicProbe newer = rival();
        newer.take(3);
        newer.reader().close();

        older.reader().acknowledge(read.lastPosition());
        assertThatThrownBy(() -> older.reader().close())
                .isInstanceOf(ReplacedException.class)
                .hasMessageContainingAll(name, TopicProbe.CONSUMER);
        assertThat(rival().reader().sequenceAtOpen()).isIn(3L, TopicReader.UNKNOWN);
    }

    @Test
    void writersThatOpenAtTheSameTimeLeaveOneOfThemAndWhatWasConfirmed() throws Exception {
        newTopic();
        Transport other = closing(fixture.openAnother());
        List<String> confirmed = Collections.synchronizedList(new ArrayList<>());
        int rounds = fixture.manyFrames() >= 20_000 ? 50 : 10;
        for (int round = 1; round <= rounds; round++) {
            CyclicBarrier start = new CyclicBarrier(2);
            String text = round + " ";
            FutureTask<Void> rivals =
                    OtherThread.start("rival", () -> openAndWrite(other, start, "b " + text, confirmed));
            openAndWrite(transport, start, "a " + text, confirmed);
            OtherThread.outcome(rivals);
        }
        TopicProbe reading = rival();
        int frames = (int) reading.writer().sequence();
        Recorder all = reading.read(frames);
        assertThat(all.sequences())
                .isEqualTo(LongStream.rangeClosed(1, frames).boxed().toList());
        assertThat(all.texts()).containsAll(confirmed).doesNotHaveDuplicates();
    }

    private Void openAndWrite(Transport through, CyclicBarrier start, String text, List<String> confirmed)
            throws Exception {
        try (Connection connection = through.connect()) {
            TopicProbe topic = probe(connection, name);
            start.await();
            try {
                topic.writer();
            } catch (TransportException replacedMeanwhile) {
                return null;
            }
            long before = topic.writer().sequence();
            try {
                for (int i = 1; i <= FRAMES; i++) {
                    topic.write(text + i);
                }
                topic.awaitStored();
            } catch (ReplacedException told) {
                assertThat(told).hasMessageContaining(name);
            }
            for (int i = 1; i <= topic.writer().storedSequence() - before; i++) {
                confirmed.add(text + i);
            }
        } catch (ReplacedException toldAtClose) {
            assertThat(toldAtClose).hasMessageContaining(name);
        }
        return null;
    }

    @Test
    void aChainThatIsStartedASecondTimeTakesOverAndTheFirstStops() throws Exception {
        Set<Long> out = new ConcurrentSkipListSet<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long confirmed;
        try (Loops firstLoops = Loops.cooperative(1);
                Loops secondLoops = Loops.cooperative(1);
                RunningChain first = start(transport, firstLoops, out, failure)) {
            for (long value = 1; value <= 100; value++) {
                first.inlet().send(bytes(value));
            }
            new Turns(fixture.longestWait()).until("some outputs", () -> out.size() > 10);
            AtomicReference<Throwable> none = new AtomicReference<>();
            try (RunningChain second = start(closing(fixture.openAnother()), secondLoops, out, none)) {
                for (long value = 1_001; value <= 1_100; value++) {
                    second.inlet().send(bytes(value));
                }
                long start = System.nanoTime();
                confirmed = sendUntilReplaced(first, failure);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(fixture.replacedWithin());
                assertThat(failure.get()).isInstanceOf(ReplacedException.class);
                assertThat(second.close(CLOSE_LIMIT))
                        .as(second.failure().toString())
                        .isTrue();
                assertThat(none.get()).isNull();
            }
            assertThat(first.failure()).containsInstanceOf(ReplacedException.class);
        }
        assertThat(out)
                .containsAll(LongStream.rangeClosed(1, confirmed).boxed().toList())
                .containsAll(LongStream.rangeClosed(1_001, 1_100).boxed().toList());

        AtomicReference<Throwable> none = new AtomicReference<>();
        try (Loops loops = Loops.cooperative(1);
                RunningChain again = start(transport, loops, out, none)) {
            again.inlet().send(bytes(5_000));
            assertThat(again.close(CLOSE_LIMIT)).as(again.failure().toString()).isTrue();
        }
        assertThat(out).contains(5_000L);
    }

    /** Sends numbers that follow on 100; the last one that was confirmed. */
    private long sendUntilReplaced(RunningChain chain, AtomicReference<Throwable> failure) {
        long stored = 0;
        Turns turns = new Turns(fixture.longestWait());
        for (long value = 101; failure.get() == null; value++) {
            try {
                chain.inlet().send(bytes(value));
                stored = chain.inlet().storedSequence();
            } catch (RuntimeException replaced) {
                turns.until("the chain's end", () -> failure.get() != null);
            }
        }
        return stored;
    }

    private RunningChain start(Transport over, Loops loops, Set<Long> out, AtomicReference<Throwable> failure) {
        return Chain.named(name)
                .then("s1", () -> (in, to) -> to.forward(in))
                .then("s2", () -> (in, to) -> to.forward(in))
                .build()
                .on(over)
                .with(loops)
                .onFailure(cause -> failure.compareAndSet(null, cause))
                .onOutput(in -> out.add(in.getLong(0)))
                .start();
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
            while (inspector.read(seen, 10) > 0) {
                // until nothing newer is stored
            }
            assertThat(seen.texts()).containsExactly(texts);
            assertThat(inspector.newestSequence()).isEqualTo(texts.length);
        }
    }

    /** Flushes what is committed and takes turns until the writer says that it was replaced; what it says. */
    private String awaitReplaced(TopicProbe topic) {
        String[] told = {null};
        new Turns(fixture.longestWait(), connectionOf(topic)).until("the end of a writer that was replaced", () -> {
            try {
                topic.writer().flush();
                return false;
            } catch (ReplacedException replaced) {
                told[0] = replaced.getMessage();
                return true;
            }
        });
        assertThatThrownBy(() -> topic.writer().room()).isInstanceOf(ReplacedException.class);
        assertThatThrownBy(() -> topic.writer().claim(1)).isInstanceOf(ReplacedException.class);
        return told[0];
    }

    private Connection connectionOf(TopicProbe probe) {
        return connections.get(probe);
    }

    private TopicProbe newTopic() {
        transport.createTopics(List.of(name));
        return probe(connect(transport), name);
    }

    /** The topic as another process has it. */
    private TopicProbe rival() {
        return probe(connect(closing(fixture.openAnother())), name);
    }

    private Connection connect(Transport through) {
        return closing(through.connect());
    }

    private TopicProbe probe(Connection connection, String topic) {
        TopicProbe probe = new TopicProbe(topic, connection, new Turns(fixture.longestWait(), connection));
        connections.put(probe, connection);
        return probe;
    }

    private <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }
}
