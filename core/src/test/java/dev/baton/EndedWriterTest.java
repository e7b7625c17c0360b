package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.Inlet.Batch;
import dev.baton.deadletters.Redrive;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer or reader that ends between two calls fails the chain that it belongs to, and no other. */
class EndedWriterTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final HostileTransport transport = new HostileTransport();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<Throwable> otherFailures = new CopyOnWriteArrayList<>();

    EndedWriterTest() {
        transport.room = 64;
    }

    private static ReplacedException replaced(String topic) {
        return new ReplacedException(topic, "topic '" + topic + "' has a newer writer");
    }

    /** What a service writes besides its outputs. */
    enum Second {
        RETRIES("c-1", "c-0.retries", ErrorPolicy.retry(1).perKey()),
        LETTERS("c-1", "c-0.dead-letters", ErrorPolicy.deadLetter()),
        STATE("c-0.snapshots", "c-1", null);

        private final String first;
        private final String topic;
        private final ErrorPolicy errors;

        Second(String first, String topic, ErrorPolicy errors) {
            this.first = first;
            this.topic = topic;
            this.errors = errors;
        }
    }

    /** A service whose state is a count. */
    private static final class Count implements StatefulService {
        private long count;

        @Override
        public void onMessage(Message in, Outlet out) {
            out.forward(in);
            count++;
        }

        @Override
        public boolean isFailureAtomic() {
            return true;
        }

        @Override
        public int snapshotVersion() {
            return 0;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            out.putLong(count);
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            count = in.getLong();
        }
    }

    private RunningChain started(String name, Loops loops, List<Throwable> failed) {
        return Chain.named(name)
                .then("s1", Count::new)
                .then("s2", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onError(ErrorPolicy.deadLetter())
                .onFailure(failed::add)
                .start();
    }

    @Test
    void rivalThatTakesTheRetriesOfSinkEndsTheStart() {
        transport.excludesWriters = false;
        transport.duringOpen = topic -> transport.topic(topic).hasNewer = topic.equals("c-0.retries");
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> Chain.named("c")
                            .build()
                            .on(transport)
                            .with(loops)
                            .onOutput(in -> {})
                            .onError(ErrorPolicy.retry(1).perKey())
                            .start())
                    .isInstanceOf(ReplacedException.class)
                    .hasMessageContaining("c-0.retries");
        }
    }

    @ParameterizedTest
    @CsvSource({"true, RETRIES", "false, RETRIES", "true, LETTERS", "false, LETTERS", "true, STATE", "false, STATE"})
    void rivalThatTakesTheFirstTopicEndsTheStart(boolean opensInSteps, Second second) {
        transport.excludesWriters = false;
        transport.opensInSteps = opensInSteps;
        transport.duringOpen = topic -> {
            if (topic.equals(second.topic)) { // the rival opened the first topic just before this one
                transport.topic(second.first).hasNewer = true;
            }
        };
        Chain chain = second == Second.STATE
                ? Chain.named("c").then("s1", Count::new).build()
                : Chain.named("c")
                        .then("s1", () -> (in, out) -> out.forward(in), second.errors)
                        .build();
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> chain.on(transport).with(loops).start())
                    .isInstanceOf(ReplacedException.class)
                    .hasMessageContaining(second.first);
            assertThat(transport.openReaders).isZero();

            transport.duringOpen = topic -> {};
            transport.topic(second.first).hasNewer = false;
            chain.on(transport).with(loops).start().close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a-1", "a-2", "a-0.dead-letters", "a-1.dead-letters", "a-0.snapshots"})
    void anEndedWriterFailsOnlyItsOwnChain(String topic) {
        assertFailsOnlyTheFirst(transport.endedWriters, topic);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a-0", "a-1", "a-0.snapshots"})
    void anEndedReaderFailsOnlyItsOwnChain(String topic) {
        assertFailsOnlyTheFirst(transport.endedReaders, topic);
    }

    private void assertFailsOnlyTheFirst(Map<String, ? super ReplacedException> ended, String topic) {
        ReplacedException why = replaced(topic);
        try (Loops loops = Loops.manual();
                RunningChain first = started("a", loops, failures);
                RunningChain second = started("b", loops, otherFailures)) {
            loops.turn();
            loops.turn();
            assertThat(transport.topics()).contains(topic);
            ended.put(topic, why);
            loops.turn();

            assertThat(failures).containsExactly(why);
            assertThat(first.failure()).containsSame(why);
            second.inlet().send(new byte[1]);
            for (int i = 0; i < 10; i++) {
                loops.turn();
            }
            assertThat(transport.topic("b-2").size()).isEqualTo(1);
            assertThat(otherFailures).isEmpty();
            assertThat(first.status().isComplete())
                    .as("status of a chain that failed")
                    .isTrue();
        }
    }

    @Test
    void oneReasonOfTwoPartsIsReportedOnce() {
        ReplacedException why = replaced("a-1");
        try (Loops loops = Loops.manual();
                RunningChain chain = started("a", loops, failures)) {
            transport.endedWriters.put("a-1", why);
            transport.endedWriters.put("a-2", why);
            loops.turn();

            assertThat(failures).containsExactly(why);
            assertThat(chain.failure()).containsSame(why);
        }
    }

    @Test
    void anEndedSourceFailsItsChain() {
        ReplacedException why = replaced("a-0");
        try (Loops loops = Loops.manual();
                RunningChain chain = Chain.named("a")
                        .then("s1", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .from(out -> 0)
                        .onFailure(failures::add)
                        .start()) {
            loops.turn();
            transport.endedWriters.put("a-0", why);
            loops.turn();

            assertThat(chain.failure()).containsSame(why);
        }
    }

    @Test
    void anEndedMergeFailsAlone() {
        transport.createTopics(List.of("x", "y"));
        ReplacedException why = replaced("m-merged");
        try (Loops loops = Loops.manual();
                RunningChain merge = Merge.named("m")
                        .from("x")
                        .from("y")
                        .build()
                        .on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .start();
                RunningChain other = started("b", loops, otherFailures)) {
            loops.turn();
            transport.endedWriters.put("m-merged", why);
            loops.turn();

            assertThat(merge.failure()).containsSame(why);
            assertThat(other.failure()).isEmpty();
        }
    }

    @Test
    void anEndedTapFailsAlone() {
        ReplacedException why = replaced("b-2");
        try (Loops loops = Loops.manual();
                RunningChain other = started("b", loops, otherFailures);
                RunningChain tap = Chain.tap("audit", "b-2")
                        .on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .onOutput(in -> {})
                        .start()) {
            loops.turn();
            transport.endedReaders.put("b-2", why);
            loops.turn();

            assertThat(tap.failure()).containsSame(why);
            assertThat(other.failure()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachCallOfASenderThrowsTheReason(boolean sendsInTurns) {
        transport.sendsInTurns = sendsInTurns;
        List<Consumer<Inlet>> calls =
                List.of(inlet -> inlet.tryClaim(1), inlet -> inlet.send(new byte[1]), Inlet::storedSequence, inlet -> {
                    try (Batch batch = inlet.batch()) {
                        batch.send(new byte[1]);
                    }
                });
        for (Consumer<Inlet> call : calls) {
            assertThrowsTheReason(inlet -> () -> call.accept(inlet));
        }
        assertThrowsTheReason(inlet -> {
            Claim claim = inlet.tryClaim(1);
            return () -> claim.commit(1);
        });
        assertThrowsTheReason(inlet -> {
            Batch batch = inlet.batch();
            batch.send(new byte[1]);
            return batch::flush;
        });
        assertThrowsTheReason(inlet -> {
            Batch batch = inlet.batch();
            batch.send(new byte[1]);
            return batch::close;
        });
        assertThrowsTheReason(inlet -> {
            transport.room = 1;
            inlet.send(new byte[1]);
            return () -> inlet.tryClaim(1);
        });
    }

    /** A call of a sender after its writer has ended. */
    private interface Preparation {
        Runnable before(Inlet inlet);
    }

    private void assertThrowsTheReason(Preparation preparation) {
        transport.endedWriters.clear();
        transport.room = 64;
        failures.clear();
        ReplacedException why = replaced("a-0");
        try (Loops loops = Loops.manual();
                RunningChain chain = started("a", loops, failures)) {
            Inlet inlet = chain.inlet();
            inlet.storedSequence();
            Runnable call = preparation.before(inlet);
            transport.endedWriters.put("a-0", why);

            if (transport.sendsInTurns) {
                loops.turn(); // the loop finds that its writer has ended
            }
            assertThatThrownBy(call::run)
                    .isInstanceOf(ChainFailedException.class)
                    .cause()
                    .isSameAs(why);
            assertThat(failures).containsExactly(why);
            assertThatThrownBy(() -> inlet.send(new byte[1])).isInstanceOf(ChainFailedException.class);
            chain.close(Duration.ZERO);
        }
        transport.deleteTopics(transport.topics());
    }

    @Test
    void endOfWriterIsReportedWhileSenderIdles() {
        transport.sendsInTurns = true;
        ReplacedException why = replaced("a-0");
        try (Loops loops = Loops.cooperative(1);
                RunningChain first = started("a", loops, failures);
                RunningChain second = started("b", loops, otherFailures)) {
            first.inlet().send(new byte[1]);
            second.inlet().send(new byte[1]);
            transport.endedWriters.put("a-0", why);
            await("the failure of an idle inlet").atMost(LIMIT).until(() -> !failures.isEmpty());

            assertThat(first.failure()).containsSame(why);
            assertThatThrownBy(() -> first.inlet().tryClaim(1)).hasCause(why);
            second.inlet().send(new byte[1]);
            assertThat(second.close(LIMIT)).isTrue();
            assertThat(otherFailures).isEmpty();
        }
    }

    @Test
    void endedPartitionLeavesOthersAndTheirInlet() {
        transport.sendsInTurns = true;
        ReplacedException why = replaced("a-0@1");
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = Chain.named("a")
                    .then("s1", () -> (in, out) -> out.forward(in))
                    .build()
                    .on(transport)
                    .with(loops)
                    .onFailure(failures::add)
                    .partitions(2)
                    .start();
            running.inlet(0).send(new byte[1]);
            running.inlet(1).send(new byte[1]);
            transport.endedWriters.put("a-0@1", why);
            await("the failure of a partition").atMost(LIMIT).until(() -> !failures.isEmpty());

            running.inlet(0).send(new byte[1]);
            await("a message of the other partition")
                    .atMost(LIMIT)
                    .until(() -> transport.topic("a-1@0").size() == 2);
            assertThat(failures).containsExactly(why);
            running.close(LIMIT);
        }
    }

    @Test
    void closeDoesNotWaitForEndedInlet() {
        transport.sendsInTurns = true;
        ReplacedException why = replaced("a-0");
        try (Loops loops = Loops.manual();
                RunningChain chain = started("a", loops, failures)) {
            transport.turnsHeldBack = Integer.MAX_VALUE;
            chain.inlet().send(new byte[1]);
            transport.endedWriters.put("a-0", why);
            long begun = System.nanoTime();

            assertThat(chain.close(LIMIT)).isFalse();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LIMIT.dividedBy(2));
            assertThat(chain.failure()).containsSame(why);
        }
    }

    @Test
    void aRedriveThrowsTheReasonAtOnce() {
        List<Long> sent = new ArrayList<>();
        try (Loops loops = Loops.manual();
                RunningChain chain = Chain.named("a")
                        .then("s1", () -> (in, out) -> {
                            throw new IllegalStateException("no");
                        })
                        .build()
                        .on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.deadLetter())
                        .start()) {
            chain.inlet().send(new byte[1]);
            chain.close(LIMIT);
        }
        transport.storesLate = true;
        ReplacedException why = replaced("a-0");
        transport.duringFlush = topic -> transport.endedWriters.put("a-0", why);

        assertThatThrownBy(() -> Redrive.run(transport, "a-0.dead-letters", (letter, sequence) -> sent.add(sequence)))
                .isSameAs(why);
        assertThat(sent).isEmpty();
    }
}
