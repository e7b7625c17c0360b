package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a tap, and a chain that begins at another chain's topic, owe their users. */
class TapTest {
    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();

    TapTest() {
        transport.room = 100;
        transport.createTopics(List.of("orders-1"));
    }

    @Test
    void tapContinuesWhereItWasClosed() {
        transport.write("orders-1", 1, 3);
        assertThat(tap()).isEqualTo(1);
        transport.write("orders-1", 4, 5);
        assertThat(tap()).isEqualTo(4);
        assertThat(received).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(transport.topic("orders-1").acknowledged).containsExactly(java.util.Map.entry("audit", 5L));
        assertThat(transport.openReaders).isZero();
    }

    @Test
    void firstSequenceIsEmptyWhereNotKept() {
        transport.knowsSequence = false;
        try (Loops loops = Loops.manual();
                RunningChain tap = Chain.tap("audit", "orders-1")
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {})
                        .start()) {
            assertThat(tap.firstSequence()).isEmpty();
        }
    }

    @Test
    void firstSequenceIsKnownAfterTheClose() {
        transport.write("orders-1", 1, 3);
        RunningChain tap;
        try (Loops loops = Loops.manual()) {
            tap = Chain.tap("audit", "orders-1")
                    .on(transport)
                    .with(loops)
                    .onOutput(in -> {})
                    .start();
            tap.close(Duration.ZERO);
        }
        assertThat(tap.firstSequence()).hasValue(1);
    }

    @Test
    void throwingHandlerStopsTapAndMessageIsRedelivered() {
        transport.write("orders-1", 1, 3);
        try (Loops loops = Loops.manual();
                RunningChain tap = Chain.tap("audit", "orders-1")
                        .on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .onOutput(in -> {
                            if (in.getLong(0) == 2) {
                                throw new IllegalStateException("two");
                            }
                        })
                        .start()) {
            loops.turn();
            assertThat(tap.failure())
                    .hasValueSatisfying(failure -> assertThat(failure)
                            .isInstanceOf(ServiceFailure.class)
                            .hasMessageContaining("orders-1"));
            assertThat(tap.status().phase()).isEqualTo(ChainStatus.Phase.FAILED);
        }
        assertThat(failures).hasSize(1);
        tap();
        assertThat(received).containsExactly(2L, 3L);
    }

    @Test
    void tapHasItsOwnDeadLetterTopic() {
        transport.maxPayload = 4_096;
        transport.write("orders-1", 1, 3);
        try (Loops loops = Loops.manual();
                RunningChain tap = Chain.tap("audit", "orders-1")
                        .on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.deadLetter())
                        .onOutput(in -> {
                            throw new IllegalStateException("none is fine");
                        })
                        .start()) {
            for (int turn = 0; turn < 20; turn++) {
                loops.turn();
            }
            assertThat(tap.failure()).isEmpty();
        }
        assertThat(transport.frames("orders-1---audit.dead-letters")).hasSize(6);
    }

    @Test
    void incompleteTapsAreRefused() {
        assertThatThrownBy(() -> Chain.tap("audit", "orders-1")
                        .on(transport)
                        .onOutput(in -> {})
                        .start())
                .hasMessageContaining("no loops to run on");
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() -> Chain.tap("audit", "orders-1")
                            .on(transport)
                            .with(loops)
                            .start())
                    .hasMessageContaining("has no handler for the messages; name one with onOutput(...)");
        }
        assertThatThrownBy(() -> Chain.tap(Chain.SINK, "topic")).hasMessageContaining("a chain's own output");
        assertThatThrownBy(() -> Chain.tap("not a name", "topic")).hasMessageContaining("consumer name 'not a name'");
        assertThatThrownBy(() -> Chain.tap("audit", "")).hasMessageContaining("topic name must not be blank");
    }

    @Test
    void chainReadsForeignTopicAsItsOwnConsumer() {
        transport.write("orders-1", 1, 6);
        Chain rejects = Chain.named("rejects")
                .from("orders-1", in -> in.getLong(0) % 2 == 0)
                .then("notify", () -> (in, out) -> out.forward(in))
                .build();
        assertThat(rejects.topic(0, 0)).isEqualTo("orders-1");
        try (Loops loops = Loops.manual();
                RunningChain running = rejects.on(transport)
                        .with(loops)
                        .onOutput(in -> received.add(in.getLong(0)))
                        .start()) {
            for (int turn = 0; turn < 5; turn++) {
                loops.turn();
            }
            assertThatThrownBy(running::inlet).hasMessageContaining("chain rejects has no inlet");
            assertThatThrownBy(() -> running.sharedInlet(8)).hasMessageContaining("chain rejects has no inlet");
        }
        assertThat(received).containsExactly(2L, 4L, 6L);
        assertThat(transport.topic("orders-1").acknowledged)
                .containsExactly(java.util.Map.entry("rejects--notify", 6L));
        assertThat(transport.topics()).containsExactlyInAnyOrder("orders-1", "rejects-1");
    }

    @Test
    void afterCrashBranchDropsWhatItHasAnswered() {
        transport.write("orders-1", 1, 6);
        Chain branch = Chain.named("branch")
                .from("orders-1", in -> in.getLong(0) != 6)
                .then("pass", () -> (in, out) -> out.forward(in))
                .build();
        run(branch);
        transport.topic("orders-1").acknowledged.put("branch--pass", 0L);
        transport.write("orders-1", 7, 8);
        run(branch);
        assertThat(transport.frames("branch-1").stream().map(frame -> frame.getLong(0)))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 7L, 8L);
    }

    @Test
    void timerOfServiceBehindPredicateStillRuns() {
        transport.write("orders-1", 1, 1);
        List<String> calls = new ArrayList<>();
        Service ticking = new TickingService() {
            @Override
            public void onMessage(Message in, Outlet out) {
                calls.add("message");
            }

            @Override
            public int onTick(Outlet out) {
                calls.add("tick");
                return 0;
            }
        };
        run(Chain.named("branch")
                .from("orders-1", in -> false)
                .then("s", () -> ticking)
                .build());
        assertThat(calls).contains("tick").doesNotContain("message");
    }

    @Test
    void whatCannotBeginAtForeignTopicIsRefused() {
        Chain.Builder builder = Chain.named("c").from("orders-1");
        assertThatThrownBy(() -> builder.from("orders-2")).hasMessageContaining("begins at topic 'orders-1' already");
        assertThatThrownBy(() -> Chain.named("c").from("c-2")).hasMessageContaining("is one of chain c itself");
        Chain chain = builder.then("s", () -> (in, out) -> {}).build();
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(
                            () -> chain.on(transport).with(loops).from(out -> 0).start())
                    .hasMessageContaining("it takes no source");
            assertThatThrownBy(
                            () -> chain.on(transport).with(loops).partitions(2).start())
                    .hasMessageContaining("is not partitioned");
        }
    }

    private void run(Chain chain) {
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport).with(loops).start()) {
            for (int turn = 0; turn < 5; turn++) {
                loops.turn();
            }
            assertThat(running.failure()).isEmpty();
        }
    }

    private long tap() {
        try (Loops loops = Loops.manual();
                RunningChain tap = Chain.tap("audit", "orders-1")
                        .on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .onOutput(in -> received.add(in.getLong(0)))
                        .start()) {
            for (int turn = 0; turn < 5; turn++) {
                loops.turn();
            }
            return tap.firstSequence().orElseThrow();
        }
    }
}
