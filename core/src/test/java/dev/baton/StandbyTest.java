package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.LogRecorder;
import dev.baton.run.Loops;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.status.ChainStatus.Phase;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chains that stand by while another process runs them. */
@Timeout(20)
class StandbyTest {
    private static final RestartPolicy SOON =
            RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(5)).afterServiceFailures();

    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.cooperative(1);
    private final List<Long> received = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private volatile boolean isOccupied;
    private volatile RuntimeException thrown; // by the service; null for none

    StandbyTest() {
        transport.room = 100;
        transport.duringOpen = topic -> {
            if (isOccupied) {
                throw new OccupiedException("topic " + topic + " has a live writer");
            }
        };
    }

    @AfterEach
    void nothingIsLeft() {
        loops.close();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("baton-restart")));
        assertThat(transport.openConnections).isZero();
    }

    private Deployment deployment() {
        return Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    if (thrown != null) {
                        throw thrown;
                    }
                    out.forward(in);
                })
                .build()
                .on(transport)
                .with(loops)
                .onFailure(failures::add)
                .onOutput(in -> received.add(in.getLong(0)));
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    @Test
    void itTakesOverWhenTheOtherHasEnded() throws Exception {
        isOccupied = true;
        try (RunningChain chain = deployment().restart(SOON).standby(true).start()) {
            SharedInlet inlet = chain.sharedInlet(10);
            CompletableFuture<Long> waiting = inlet.offerStored(bytes(7));
            assertThat(chain.status().phase()).isEqualTo(Phase.STANDING_BY);
            assertThat(chain.health().isHealthy()).isTrue();
            assertThat(chain.restarts()).isZero();

            isOccupied = false;

            assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo(1);
            await().untilAsserted(() -> assertThat(received).containsExactly(7L));
            assertThat(chain.status().phase()).isEqualTo(Phase.RUNNING);
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void aReplacedChainStandsByInsteadOfFailing() {
        try (RunningChain chain = deployment().restart(SOON).standby(true).start()) {
            SharedInlet inlet = chain.sharedInlet(10);
            thrown = new ReplacedException("c-1", "topic c-1 has a newer writer");
            inlet.offer(bytes(1));
            await().untilAsserted(() -> assertThat(chain.status().phase()).isEqualTo(Phase.STANDING_BY));
            await().untilAsserted(() -> assertThat(inlet.offer(bytes(2))).isEqualTo(SharedInlet.Offer.FULL));
            assertThat(chain.failure()).isEmpty();
            assertThat(chain.lastFailure()).containsInstanceOf(ReplacedException.class);
            assertThat(chain.close(Duration.ofSeconds(1))).isTrue();
        }
        assertThat(failures).isEmpty();
    }

    private Deployment twoServices() {
        return Chain.named("c")
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .restart(SOON)
                .standby(true)
                .onFailure(failures::add)
                .onOutput(in -> received.add(in.getLong(0)));
    }

    private static ReplacedException replaced(String topic) {
        return new ReplacedException(topic, "topic " + topic + " has a newer writer");
    }

    @Test
    void aReplacedChainLogsAnErrorWhenItStandsBy() {
        try (LogRecorder log = new LogRecorder();
                RunningChain chain = twoServices().start()) {
            transport.endedWriters.put("c-2", replaced("c-2"));
            await().until(() -> chain.status().phase() == Phase.STANDING_BY
                    && log.records.stream().anyMatch(line -> line.getLevel() == Level.SEVERE));
            transport.endedWriters.clear();
            assertThat(log.records.stream().filter(line -> line.getLevel() == Level.SEVERE))
                    .singleElement()
                    .satisfies(line -> assertThat(line.getMessage())
                            .contains("chain c", "a newer process has taken over", "topic c-2 has a newer writer"));
        }
    }

    @Test
    void writerOfTheDecidingTopicIsPreparedFirst() {
        List<String> prepared = new CopyOnWriteArrayList<>();
        transport.opensInSteps = true;
        transport.duringOpen = prepared::add;
        try (RunningChain chain = twoServices().start()) {
            assertThat(chain.failure()).isEmpty();
            assertThat(prepared).containsExactly("c-2", "c-1");
        }
    }

    @Test
    void replacementElsewhereAwaitsThatAtDecidingTopic() {
        try (RunningChain chain = twoServices().start()) {
            transport.endedWriters.put("c-1", replaced("c-1"));
            await().until(() -> chain.lastFailure().isPresent());
            transport.endedWriters.put("c-2", replaced("c-2"));
            await().untilAsserted(() -> assertThat(chain.status().phase()).isEqualTo(Phase.STANDING_BY));
            assertThat(chain.restarts()).isZero();
            transport.endedWriters.clear();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void replacementElsewhereAloneRestartsTheChain() {
        try (RunningChain chain = twoServices().start()) {
            transport.endedWriters.put("c-1", replaced("c-1"));
            await().until(() -> chain.lastFailure().isPresent());
            transport.endedWriters.clear();
            await().until(() -> chain.restarts() == 1 && chain.status().phase() == Phase.RUNNING);
            chain.inlet().send(bytes(3));
            await().untilAsserted(() -> assertThat(received).containsExactly(3L));
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void withoutStandbyAnOccupiedStartThrows() {
        isOccupied = true;
        assertThatThrownBy(() -> deployment().restart(SOON).start()).isInstanceOf(OccupiedException.class);
    }

    @Test
    void aClosedStandbyOpensNothing() {
        isOccupied = true;
        RunningChain chain = deployment().restart(SOON).standby(true).start();
        assertThat(chain.close(Duration.ofSeconds(1))).isTrue();
        isOccupied = false;
        assertThat(chain.status().phase()).isEqualTo(Phase.CLOSED);
    }

    @Test
    void itNeedsARestartPolicyAndNoPartitions() {
        assertThatThrownBy(() -> deployment().standby(true).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("add restart(");
        assertThatThrownBy(() ->
                        deployment().restart(SOON).partitions(2).standby(true).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partitions take no standby");
    }
}
