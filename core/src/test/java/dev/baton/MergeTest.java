package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Deployment.ReplacedInput;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.engine.ChainRun;
import dev.baton.engine.writing.MergedProgress;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a merge owes: everything of every input once and in order, in a fair turn, whatever happens to the process. */
class MergeTest {
    private final HostileTransport transport = new HostileTransport();
    private final List<Throwable> failures = new ArrayList<>();
    private ReplacedInput replacedInput = ReplacedInput.REFUSE;

    MergeTest() {
        transport.room = 1_000;
    }

    @Test
    void messagesOfInputsAreMergedOnceInOrder() {
        write("a-1", 1, 50);
        write("b-1", 1, 20);
        run(merge("a-1", "b-1"));
        assertThat(merged("a-1", "b-1").get(0)).containsExactlyElementsOf(upTo(50));
        assertThat(merged("a-1", "b-1").get(1)).containsExactlyElementsOf(upTo(20));
    }

    @Test
    void aCloseMergesWhatTheTopicsHeld() {
        write("a-1", 1, 5);
        write("b-1", 1, 5);
        try (Loops loops = Loops.cooperative(1)) {
            transport.knowsBacklog = true;
            RunningChain running = start(merge("a-1", "b-1"), loops);
            assertThat(running.close(RunningChain.CLOSE_LIMIT)).isTrue();
        }
        assertThat(transport.frames("m-merged")).hasSize(10);
    }

    @Test
    void closeMergesTopicsWithUnknownFirstSequence() {
        write("a-1", 1, 5);
        write("b-1", 1, 5);
        run(merge("a-1", "b-1"));
        write("a-1", 6, 9);
        transport.knowsSequence = false;
        transport.knowsBacklog = true;
        transport.cutsPollsToOne = true;
        try (Loops loops = Loops.manual()) {
            RunningChain running = start(merge("a-1", "b-1"), loops);
            assertThat(running.close(RunningChain.CLOSE_LIMIT)).isTrue();
        }
        assertThat(transport.frames("m-merged")).hasSize(14);
    }

    @Test
    void quietInputIsFoundFromTheNewestFrame() {
        write("a-1", 1, 3);
        write("b-1", 1, 1);
        run(merge("a-1", "b-1"));
        write("a-1", 4, 900);
        run(merge("a-1", "b-1"));
        transport.topic("a-1").acknowledged.put("m.merge", 0L);
        transport.topic("b-1").acknowledged.put("m.merge", 0L);
        write("b-1", 2, 2);
        run(merge("a-1", "b-1"));
        assertThat(merged("a-1", "b-1").get(0)).containsExactlyElementsOf(upTo(900));
        assertThat(merged("a-1", "b-1").get(1)).containsExactly(1L, 2L);
    }

    @Test
    void crashesAnywhereRepeatAndDropNothing() {
        for (long seed = 1; seed <= 300; seed++) {
            new CrashedMerge(seed).run();
        }
    }

    @Test
    void inputsTakeTurnsWhileRoomIsShort() {
        write("a-1", 1, 100);
        write("b-1", 1, 3);
        write("c-1", 1, 100);
        transport.room = 1;
        transport.createTopics(List.of("m-merged"));
        try (Loops loops = Loops.manual();
                RunningChain running = start(merge("a-1", "b-1", "c-1"), loops)) {
            for (int turn = 0; turn < 60; turn++) {
                loops.turn();
                transport.topic("m-merged").acknowledged.put("reader", (long)
                        transport.topic("m-merged").size());
            }
            assertThat(running.failure()).isEmpty();
            running.close(Duration.ZERO);
        }
        assertThat(inputsInOrder().subList(0, 9)).containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2);
        assertThat(inputsInOrder().subList(9, 15))
                .as("behind the last of the second")
                .containsExactly(0, 2, 0, 2, 0, 2);
    }

    @Test
    void serviceFailureInBatchLeavesMergeFieldUnchanged() {
        write("a-1", 1, 4);
        write("b-1", 1, 4);
        transport.refusesEveryOtherClaim = true;
        run(merge("a-1", "b-1"));
        assertThat(failures).isNotEmpty();
        failures.clear();
        transport.refusesEveryOtherClaim = false;
        run(merge("a-1", "b-1"));
        assertThat(failures).isEmpty();
        assertThat(merged("a-1", "b-1").get(0)).containsExactlyElementsOf(upTo(4));
        assertThat(merged("a-1", "b-1").get(1)).containsExactlyElementsOf(upTo(4));
    }

    @Test
    void aMergeOfOtherTopicsIsRefused() {
        write("a-1", 1, 1);
        write("b-1", 1, 1);
        write("c-1", 1, 1);
        run(merge("b-1", "a-1"));
        run(merge("a-1", "b-1"));
        assertThat(failures).as("the same topics in another order").isEmpty();
        try (Loops loops = Loops.manual()) {
            Deployment other = Merge.named("m")
                    .from("a-1")
                    .from("c-1")
                    .build()
                    .on(transport)
                    .with(loops);
            assertThatThrownBy(other::start)
                    .isInstanceOf(TopicMismatchException.class)
                    .hasMessageContaining("it was merge of a-1, b-1, it is merge of a-1, c-1");
        }
        assertThat(transport.openConnections).isZero();
        assertThat(transport.openReaders).isZero();
    }

    @Test
    void recreatedInputIsDetectedAndOthersKept() {
        write("a-1", 1, 5);
        write("b-1", 1, 5);
        run(merge("a-1", "b-1"));
        transport.deleteTopics(List.of("b-1"));
        write("b-1", 101, 107);
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> start(merge("a-1", "b-1"), loops))
                    .isInstanceOf(TopicMismatchException.class)
                    .hasMessageContaining("topic 'b-1', but that topic was deleted and created again");
        }
        failures.clear();
        replacedInput = ReplacedInput.HANDLE_ALL;
        write("a-1", 6, 6);
        run(merge("a-1", "b-1"));
        assertThat(merged("a-1", "b-1").get(0)).containsExactlyElementsOf(upTo(6));
        assertThat(merged("a-1", "b-1").get(1))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 101L, 102L, 103L, 104L, 105L, 106L, 107L);
        replacedInput = ReplacedInput.REFUSE;
        run(merge("a-1", "b-1"));
        assertThat(transport.frames("m-merged")).hasSize(18);
    }

    @Test
    void topicsOfOtherOriginAreNotContinued() {
        write("a-1", 1, 1);
        write("b-1", 1, 1);
        transport.createTopics(List.of("m-merged"));
        transport.writeCaused("m-merged", 7);
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> start(merge("a-1", "b-1"), loops))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("does not name the merged inputs");
        }
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void statusNamesEachInputWithoutInlet() {
        write("a-1", 1, 2);
        write("b-1", 1, 3);
        try (Loops loops = Loops.manual();
                RunningChain running = start(merge("a-1", "b-1"), loops)) {
            loops.turn();
            assertThatThrownBy(running::inlet)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has no inlet");
            assertThat(running.status().parts())
                    .extracting(
                            each -> each.input().topic(),
                            each -> each.input().consumed(),
                            each -> each.output().topic())
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("a-1", 2L, "m-merged"),
                            org.assertj.core.groups.Tuple.tuple("b-1", 3L, "m-merged"));
        }
    }

    @Test
    void checksumsAndDatesLieBesideTheField() {
        write("a-1", 1, 2);
        write("b-1", 1, 2);
        try (Loops loops = Loops.manual();
                RunningChain running = merge("a-1", "b-1")
                        .on(transport)
                        .with(loops)
                        .checksums(true)
                        .wallClock(true)
                        .start()) {
            loops.turn();
            assertThat(running.failure()).isEmpty();
        }
        assertThat(transport.frames("m-merged")).hasSize(4).allSatisfy(frame -> {
            assertThat(frame.validate()).isNull();
            assertThat(frame.field(Extension.WALL_CLOCK)).isPositive();
            assertThat(frame.length()).isEqualTo(Long.BYTES);
        });
        run(merge("a-1", "b-1"));
        assertThat(transport.frames("m-merged")).hasSize(4);
    }

    @Test
    void impossibleMergesAreRefusedWithTheirReason() {
        assertThatThrownBy(() -> Merge.named("m").from("a").build()).hasMessageContaining("has 1 topics");
        assertThatThrownBy(() -> Merge.named("m").from("a").from("a")).hasMessageContaining("merged already");
        assertThatThrownBy(() -> Merge.named("m").from("m-merged")).hasMessageContaining("the merged one itself");
        assertThatThrownBy(() -> Merge.named("m").from(" ")).hasMessageContaining("topic name must not be blank");
        Merge.Builder full = Merge.named("m");
        IntStream.rangeClosed(1, Merge.MAX_INPUTS).forEach(i -> full.from("t" + i));
        assertThatThrownBy(() -> full.from("one-more")).hasMessageContaining("more than 10 topics");
        transport.maxPayload = 40;
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> start(merge("a", "b"), loops)).hasMessageContaining("too short for a merge");
            assertThatThrownBy(() -> merge("a", "b").on(transport).start()).hasMessageContaining("no loops");
        }
    }

    @Test
    void deadLettersOfMergeAreRefused() {
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> merge("a", "b")
                            .on(transport)
                            .with(loops)
                            .onUnreadable(UnreadableFrames.DEAD_LETTER)
                            .start())
                    .hasMessageContaining("has no dead-letter topics for unreadable frames");
        }
    }

    /** Three inputs, and a process that is killed between any two turns, with any part of its output and positions lost. */
    private static final class CrashedMerge {
        private final HostileTransport transport = new HostileTransport();
        private final MergeTest test = new MergeTest(); // for its reading of frames
        private final Random random;
        private final String what;
        private final long[] written = new long[3];

        CrashedMerge(long seed) {
            random = new Random(seed);
            what = "seed " + seed;
            transport.room = 1 + random.nextInt(20);
            transport.cutsPollsToOne = random.nextBoolean();
            transport.storesLate = true;
            transport.createTopics(List.of("a-1", "b-1", "c-1"));
        }

        void run() {
            for (int life = 0; life < 6; life++) {
                for (int i = 0; i < written.length; i++) {
                    int more = random.nextInt(4) == 0 ? 0 : random.nextInt(12);
                    transport.write("abc".charAt(i) + "-1", written[i] + 1, written[i] + more);
                    written[i] += more;
                }
                live(life == 5 ? 400 : random.nextInt(12), life == 5);
            }
            List<Frame> frames = transport.frames("m-merged");
            for (int i = 0; i < written.length; i++) {
                assertThat(test.merged(frames, 3).get(i))
                        .as(what + ", input " + i)
                        .containsExactlyElementsOf(upTo(written[i]));
            }
        }

        private void live(int turns, boolean isLast) {
            try (Loops loops = Loops.manual()) {
                RunningChain running = Merge.named("m")
                        .from("a-1")
                        .from("b-1")
                        .from("c-1")
                        .build()
                        .on(transport)
                        .with(loops)
                        .batch(1 + random.nextInt(5))
                        .start();
                HostileTransport.Topic merged = transport.topic("m-merged");
                for (int turn = 0; turn < turns; turn++) {
                    loops.turn();
                    merged.stored +=
                            isLast ? merged.size() - merged.stored : random.nextInt(merged.size() - merged.stored + 1);
                    merged.acknowledged.put("reader", (long) merged.stored);
                }
                assertThat(running.failure()).as(what).isEmpty();
                ((ChainRun) running).abandon();
            }
            transport.crash();
            for (String input : List.of("a-1", "b-1", "c-1")) {
                transport
                        .topic(input)
                        .acknowledged
                        .computeIfPresent(
                                "m.merge",
                                (name, position) -> random.nextBoolean()
                                        ? position
                                        : Long.valueOf(random.nextInt(position.intValue() + 1)));
            }
        }
    }

    private void write(String topic, long from, long to) {
        transport.createTopics(List.of(topic));
        transport.write(topic, from, to);
    }

    private static Merge merge(String... topics) {
        Merge.Builder merge = Merge.named("m");
        List.of(topics).forEach(merge::from);
        return merge.build();
    }

    private RunningChain start(Merge merge, Loops loops) {
        return merge.on(transport)
                .with(loops)
                .replacedInput(replacedInput)
                .onFailure(failures::add)
                .start();
    }

    private void run(Merge merge) {
        try (Loops loops = Loops.manual();
                RunningChain running = start(merge, loops)) {
            for (int turn = 0; turn < 20; turn++) {
                loops.turn();
            }
            assertThat(running.failure()).isEqualTo(failures.stream().findFirst());
        }
    }

    /** The values merged of each input. */
    private List<List<Long>> merged(String... inputs) {
        return merged(transport.frames("m-merged"), inputs.length);
    }

    private List<List<Long>> merged(List<Frame> frames, int inputs) {
        List<List<Long>> values = new ArrayList<>();
        IntStream.range(0, inputs).forEach(i -> values.add(new ArrayList<>()));
        for (Frame frame : frames) {
            assertThat(frame.validate()).isNull();
            int index = MergedProgress.inputOf(frame, frame.field(Extension.MERGED));
            values.get(index).add(frame.getLong(0));
        }
        return values;
    }

    private List<Integer> inputsInOrder() {
        return transport.frames("m-merged").stream()
                .map(frame -> MergedProgress.inputOf(frame, frame.field(Extension.MERGED)))
                .toList();
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }
}
