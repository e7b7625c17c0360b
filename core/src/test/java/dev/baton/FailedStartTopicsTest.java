package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Source.SourceContext;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A start that fails removes the topics that it has created, and no others. */
class FailedStartTopicsTest {
    private static final RestartPolicy POLICY = RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(1));

    /** Ways to start something on one loop, over the topics {@code in-0} and {@code in-1} that exist. */
    enum Deployed {
        CHAIN((test, loops) -> test.deployment(loops).start()),
        SUPERVISED((test, loops) -> test.deployment(loops).restart(POLICY).start()),
        PARTITIONS((test, loops) -> test.deployment(loops).partitions(3).start()),
        RESTARTED_PARTITIONS((test, loops) ->
                test.deployment(loops).partitions(3).restart(POLICY).start()),
        BRANCH((test, loops) -> test.branch(loops).start()),
        TAP((test, loops) -> test.tap(loops).onOutput(in -> {}).start()),
        SUPERVISED_TAP((test, loops) ->
                test.tap(loops).restart(POLICY).onOutput(in -> {}).start()),
        MERGE((test, loops) -> test.merge(loops).start()),
        SUPERVISED_MERGE((test, loops) -> test.merge(loops).restart(POLICY).start());

        private final BiFunction<FailedStartTopicsTest, Loops, RunningChain> start;

        Deployed(BiFunction<FailedStartTopicsTest, Loops, RunningChain> start) {
            this.start = start;
        }
    }

    private final HostileTransport transport = new HostileTransport().with(Guarantee.EXCLUSIVE);
    private final List<String> opened = new ArrayList<>();
    private boolean canRestore = true;

    @BeforeEach
    void topicsThatExist() {
        transport.room = 1_000;
        transport.maxPayload = 4_096;
        transport.createTopics(List.of("in-0", "in-1"));
    }

    @ParameterizedTest
    @EnumSource
    void aWriterThatIsRefusedLeavesNoTopic(Deployed deployed) {
        Set<String> before = transport.topics();
        int writers = writersOf(deployed);
        for (int refused = 1; refused <= writers; refused++) {
            int last = refused;
            opened.clear();
            transport.duringOpen = topic -> {
                opened.add(topic);
                if (opened.size() == last) {
                    throw new TransportException("no writer for " + topic);
                }
            };
            try (Loops loops = Loops.cooperative(1)) {
                assertThatThrownBy(() -> deployed.start.apply(this, loops))
                        .as("writer %d", refused)
                        .hasMessageContaining("no writer for");
            }
            assertThat(transport.topics()).as("refused writer %d", refused).isEqualTo(before);
        }
    }

    /** The number of writers that a start opens, which has to be at least one for the test to refuse it. */
    private int writersOf(Deployed deployed) {
        Set<String> before = transport.topics();
        transport.duringOpen = opened::add;
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployed.start.apply(this, loops)) {
            assertThat(running).isNotNull();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
        Set<String> created = transport.topics();
        created.removeAll(before);
        transport.deleteTopics(created);
        assertThat(opened).isNotEmpty();
        return opened.size();
    }

    @ParameterizedTest
    @EnumSource
    void topicThatCannotBeCreatedLeavesNoOther(Deployed deployed) {
        Set<String> before = transport.topics();
        List<String> creations = new ArrayList<>();
        transport.duringCreation = creations::add;
        writersOf(deployed);
        for (String refused : creations) {
            transport.duringCreation = topic -> {
                if (topic.equals(refused)) {
                    throw new TransportException("no space for " + topic);
                }
            };
            try (Loops loops = Loops.cooperative(1)) {
                assertThatThrownBy(() -> deployed.start.apply(this, loops))
                        .hasMessageContaining("no space for " + refused);
            }
            assertThat(transport.topics()).as("refused %s", refused).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CHAIN", "SUPERVISED", "PARTITIONS", "RESTARTED_PARTITIONS"})
    void failedRestoreLeavesNoNewTopic(Deployed deployed) throws Exception {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployed.start.apply(this, loops)) {
            send(running);
        }
        List<String> last = transport.topics().stream()
                .filter(topic -> topic.startsWith("c-2"))
                .toList();
        assertThat(last).isNotEmpty();
        transport.deleteTopics(last);
        Set<String> before = transport.topics();
        canRestore = false;
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> deployed.start.apply(this, loops)).hasStackTraceContaining("cannot read this");
        }
        assertThat(transport.topics()).isEqualTo(before);
        canRestore = true;
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployed.start.apply(this, loops)) {
            send(running);
        }
    }

    private static void send(RunningChain running) {
        byte[] message = {1, 0, 0, 0, 0, 0, 0, 0};
        if (running.held().isEmpty()) {
            running.inlet().send(message);
        } else {
            running.held().forEach(partition -> running.inlet(partition).send(message));
        }
        assertThat(running.close(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void otherPartitionCountStartsAfterRefusal() {
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> deployment(loops)
                            .fromEach(TwoPartitions::new)
                            .partitions(3)
                            .start())
                    .hasMessageContaining("start the chain with partitions(2)");
            deployment(loops).fromEach(TwoPartitions::new).partitions(2).start().close(Duration.ZERO);
        }
    }

    /** Topics of a process that was killed while it started, before it wrote anything. */
    @Test
    void topicsOfKilledStartAreNamedWithRemedy() {
        transport.createTopics(List.of("c-0@0", "c-0@1", "c-0@2", "c-1@0", "c-1@1", "c-1@2"));
        Set<String> before = transport.topics();
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> deployment(loops).partitions(2).start())
                    .hasMessageContainingAll(
                            "topic 'c-0' has 3 partitions, but 2 partitions were asked for",
                            "use 3",
                            "or first delete c-0@0 to c-0@2");
            assertThat(transport.topics()).isEqualTo(before);
            deployment(loops).partitions(3).start().close(Duration.ZERO);
        }
    }

    @Test
    void topicsWithMessagesStayAndAreNamed() {
        transport.duringOpen = topic -> {
            if (topic.equals("c-1")) {
                transport.write("c-2", 1, 1);
                throw new TransportException("no writer for " + topic);
            }
        };
        assertStartNamesLeft("c-2, which stay: they hold messages");
        assertThat(transport.topics()).containsExactlyInAnyOrder("in-0", "in-1", "c-2");
    }

    /** Where nothing excludes another writer, it may have opened a topic that is still empty. */
    @Test
    void topicsThatOthersMayWriteStayAndAreNamed() {
        transport.without(Guarantee.EXCLUSIVE).duringOpen = topic -> {
            throw new TransportException("no writer for " + topic);
        };
        assertStartNamesLeft("c-0, c-0.snapshots, c-1, c-1.dead-letters, c-2, which stay: ");
        assertThat(transport.topics()).contains("c-0", "c-1", "c-2");
    }

    /** Where they cannot be inspected, another process may have written to them, and closed. */
    @Test
    void sharedTopicsWithoutInspectionStayAndAreNamed() {
        transport.without(Guarantee.DURABLE).duringOpen = topic -> {
            throw new TransportException("no writer for " + topic);
        };
        try (Loops loops = Loops.cooperative(1)) {
            assertNamesLeft(pass(loops), "c-0, c-1, which stay: ");
        }
        assertThat(transport.topics()).contains("c-0", "c-1");
    }

    private Deployment pass(Loops loops) {
        return Chain.named("c")
                .then("pass", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .onFailure(cause -> {})
                .with(loops);
    }

    private void assertStartNamesLeft(String topics) {
        try (Loops loops = Loops.cooperative(1)) {
            assertNamesLeft(deployment(loops), topics);
        }
    }

    private static void assertNamesLeft(Deployment deployment, String topics) {
        assertThatThrownBy(deployment::start)
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .singleElement()
                        .asString()
                        .contains("has created the topics " + topics));
    }

    @Test
    void topicsThatOthersReadStay() {
        transport.duringOpen = topic -> {
            if (topic.equals("c-1")) {
                transport.topic("c-0").acknowledged.put("audit", 0L);
                throw new TransportException("no writer for " + topic);
            }
        };
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> deployment(loops).start()).hasMessageContaining("no writer for");
        }
        assertThat(transport.topics()).contains("c-0").doesNotContain("c-1", "c-2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void topicsStayWhenAnotherProcessRunsTheChain(boolean isReplaced) {
        transport.duringOpen = topic -> {
            throw isReplaced
                    ? new ReplacedException(topic, "a newer writer", null)
                    : new OccupiedException(topic + " has a live writer");
        };
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> deployment(loops).start()).isInstanceOf(TransportException.class);
        }
        assertThat(transport.topics()).contains("c-0", "c-1", "c-2");
    }

    /** A source of something that has two partitions. */
    private static final class TwoPartitions implements Source {
        @Override
        public void onStart(SourceContext context) {
            if (context.partitions() != 2) {
                throw new IllegalArgumentException("has 2 partitions; start the chain with partitions(2)");
            }
        }

        @Override
        public int onTick(Outlet out) {
            return 0;
        }
    }

    /** A service with state, which may be unable to restore it. */
    private final class Sum implements StatefulService {
        private long sum;

        @Override
        public void onMessage(Message in, Outlet out) {
            sum += in.getLong(0);
            out.claim(8).putLong(0, sum).commit(8);
        }

        @Override
        public int snapshotVersion() {
            return 0;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            out.putLong(sum);
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            if (!canRestore) {
                throw new IllegalStateException("cannot read this");
            }
            sum = in.getLong();
        }
    }

    private Deployment deployment(Loops loops) {
        return Chain.named("c")
                .then("sum", Sum::new)
                .then("pass", () -> (in, out) -> out.forward(in), ErrorPolicy.deadLetter())
                .build()
                .on(transport)
                .onFailure(cause -> {})
                .with(loops);
    }

    private Deployment branch(Loops loops) {
        return Chain.named("b")
                .from("in-0")
                .then("sum", Sum::new)
                .build()
                .on(transport)
                .onFailure(cause -> {})
                .with(loops);
    }

    private Deployment tap(Loops loops) {
        return Chain.tap("audit", "in-0")
                .on(transport)
                .onError(ErrorPolicy.deadLetter())
                .onFailure(cause -> {})
                .with(loops);
    }

    private Deployment merge(Loops loops) {
        return Merge.named("m")
                .from("in-0")
                .from("in-1")
                .build()
                .on(transport)
                .onFailure(cause -> {})
                .with(loops);
    }
}
