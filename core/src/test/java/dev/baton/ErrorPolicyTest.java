package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ErrorPolicyTest {
    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private final List<Long> received = new ArrayList<>();
    private int calls;
    private Consumer<Throwable> onFailure = failure -> {};
    private int failures;
    private RunningChain running;

    @AfterEach
    void close() {
        running.close();
        loops.close();
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void stopLeavesFailedMessageUnacknowledgedKeepsEarlierOnes() {
        failures = Integer.MAX_VALUE;
        start(ErrorPolicy.stop());
        send(1, 2, 3);
        loops.turn();
        loops.turn();
        assertThat(received).containsExactly(1L);
        assertThat(calls).isEqualTo(2);
        assertThat(running.failure().orElseThrow())
                .hasMessageContaining("service s1")
                .hasMessageContaining("two");
        assertThat(transport.topic("c-0").acknowledged.get("s1")).isEqualTo(1);
    }

    @Test
    void failureNamesTopicAndSequence() {
        failures = Integer.MAX_VALUE;
        start(ErrorPolicy.retry(1));
        send(1, 2, 3);
        loops.turn();
        loops.turn();
        assertThat(running.failure().orElseThrow()).isInstanceOfSatisfying(ServiceFailure.class, failure -> {
            assertThat(failure.service()).isEqualTo("s1");
            assertThat(failure.topic()).isEqualTo("c-0");
            assertThat(failure.sequence()).isEqualTo(2);
            assertThat(failure).hasMessageStartingWith("service s1 failed at message 2 of topic c-0: ");
        });
    }

    @Test
    void tickThatThrowsHasNoMessageInHand() {
        running = Chain.named("t")
                .then("clock", () -> new TickingService() {
                    @Override
                    public void onMessage(Message in, Outlet out) {
                        out.forward(in);
                    }

                    @Override
                    public int onTick(Outlet out) {
                        throw new IllegalStateException("no time");
                    }
                })
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {})
                .start();
        loops.turn();
        assertThat(running.failure().orElseThrow())
                .isInstanceOfSatisfying(
                        ServiceFailure.class,
                        failure -> assertThat(failure.sequence()).isEqualTo(ServiceFailure.NO_MESSAGE))
                .hasMessageStartingWith("service clock failed: ");
    }

    @Test
    void retryRedeliversMessageAndSendsOutputsOnce() {
        failures = 3;
        start(ErrorPolicy.retry(3));
        send(1, 2, 3);
        for (int i = 0; i < 5; i++) {
            loops.turn();
        }
        assertThat(received).containsExactly(1L, 2L, 3L);
        assertThat(running.failure()).isEmpty();
    }

    @Test
    void retryStopsTheChainAfterTheLastAttempt() {
        failures = Integer.MAX_VALUE;
        start(ErrorPolicy.retry(2));
        send(2);
        for (int i = 0; i < 9; i++) {
            loops.turn();
        }
        assertThat(calls).isEqualTo(3);
        assertThat(running.failure()).isPresent();
    }

    @Test
    void skipPassesMessageToHandlerAndContinues() {
        failures = Integer.MAX_VALUE;
        List<String> dead = new ArrayList<>();
        start(ErrorPolicy.skipTo(
                (service, in, attempts, cause) -> dead.add(service + " " + in.getLong(0) + " " + cause.getMessage())));
        send(1, 2, 3);
        loops.turn();
        assertThat(received).containsExactly(1L, 3L);
        assertThat(dead).containsExactly("s1 2 two");
        assertThat(transport.topic("c-0").acknowledged.get("s1")).isEqualTo(3);
    }

    @Test
    void throwingDeadLetterHandlerStopsTheChain() {
        failures = Integer.MAX_VALUE;
        start(ErrorPolicy.skipTo((service, in, attempts, cause) -> {
            throw new IllegalStateException("no place for dead letters");
        }));
        send(1, 2);
        loops.turn();
        assertThat(running.failure().orElseThrow()).hasMessageContaining("no place for dead letters");
        assertThat(transport.topic("c-0").acknowledged.get("s1")).isEqualTo(1);
    }

    @Test
    void deadLetterHandlerMayThrowTheCauseItself() {
        failures = Integer.MAX_VALUE;
        start(ErrorPolicy.skipTo((service, in, attempts, cause) -> {
            throw (RuntimeException) cause;
        }));
        send(1, 2);
        loops.turn();
        assertThat(running.failure().orElseThrow()).isInstanceOfSatisfying(ServiceFailure.class, failure -> {
            assertThat(failure.sequence()).isEqualTo(2);
            assertThat(failure.getCause()).hasMessage("two");
        });
        assertThat(transport.topic("c-0").acknowledged.get("s1")).isEqualTo(1);
    }

    @Test
    void anErrorStopsTheChainWhateverThePolicy() {
        failures = -1;
        start(ErrorPolicy.skipTo((service, in, attempts, cause) -> {}));
        send(1, 2);
        loops.turn();
        assertThat(running.failure().orElseThrow()).hasRootCauseInstanceOf(StackOverflowError.class);
    }

    @Test
    void throwingFailureListenerDelaysNoOtherChain() {
        failures = Integer.MAX_VALUE;
        onFailure = failure -> {
            throw new IllegalStateException("the listener fails as well", failure);
        };
        start(ErrorPolicy.stop());
        AtomicInteger others = new AtomicInteger();
        try (RunningChain other = Chain.named("other")
                .then("s1", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> others.incrementAndGet())
                .start()) {
            send(2);
            other.inlet().tryClaim(8).putLong(0, 1).commit(8);
            loops.turn();
            assertThat(running.failure().orElseThrow()).hasMessageContaining("two");
            assertThat(others).hasValue(1);
        }
    }

    /** Passes on every message, but commits the output of message 2 and then fails, as often as asked. */
    private void start(ErrorPolicy policy) {
        Service failsAtTwo = (in, out) -> {
            calls++;
            out.forward(in);
            if (in.getLong(0) == 2) {
                if (failures == -1) {
                    throw new StackOverflowError();
                }
                if (failures > 0) {
                    failures--;
                    throw new IllegalStateException("two");
                }
            }
        };
        running = Chain.named("c")
                .then("s1", () -> failsAtTwo)
                .build()
                .on(transport)
                .with(loops)
                .onError(policy)
                .onFailure(onFailure)
                .onOutput(in -> received.add(in.getLong(0)))
                .start();
    }

    private void send(long... values) {
        for (long value : values) {
            running.inlet().tryClaim(8).putLong(0, value).commit(8);
        }
    }
}
