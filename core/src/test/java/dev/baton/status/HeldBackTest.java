package dev.baton.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.BackPressureException;
import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.SharedInlet;
import dev.baton.SharedInlet.Offer;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.manage.ManagedChain;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.status.ChainStatus.ChainHealth;
import dev.baton.status.ChainStatus.HeldBack;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A consumer without a reader that holds a topic back. */
class HeldBackTest {
    private static final Service PASS = (in, out) -> out.forward(in);
    private static final int ROOM = 4;
    private static final long REFUSED_NANOS = 20_000_000; // after which an inlet knows why

    private final HostileTransport transport = new HostileTransport();
    private final ShiftedClock clock = new ShiftedClock();
    private final Loops loops = Loops.manual().in(clock);
    private RunningChain running;

    @BeforeEach
    void boundTopics() {
        transport.room = ROOM;
        transport.knowsBacklog = true;
    }

    @AfterEach
    void close() {
        if (running != null) {
            running.close(Duration.ofMillis(1));
        }
        loops.close();
    }

    @Test
    void failedSendNamesConsumer() {
        try (Loops thread = Loops.cooperative(1)) {
            running = pass().on(transport)
                    .with(thread)
                    .sendWithin(Duration.ofMillis(50))
                    .start();
            leave("c-0", "audit");
            for (int i = 0; i < ROOM; i++) {
                running.inlet().send(new byte[8]);
            }

            assertThatThrownBy(() -> running.inlet().send(new byte[8]))
                    .isInstanceOf(BackPressureException.class)
                    .hasMessageStartingWith("topic c-0 had no room for 50 ms: consumer 'audit' holds topic c-0 back:"
                            + " it is 4 frames behind, and the topic has taken none for ");
            running.close(Duration.ofMillis(1));
        }
    }

    @Test
    void failedSendNamesConsumerFurtherOn() {
        try (Loops thread = Loops.cooperative(1)) {
            running = pass().on(transport)
                    .with(thread)
                    .onOutput(in -> {})
                    .sendWithin(Duration.ofMillis(50))
                    .start();
            leave("c-2", "tap");

            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            running.inlet().send(new byte[8]);
                        }
                    })
                    .isInstanceOf(BackPressureException.class)
                    .hasMessageContaining("had no room for 50 ms: consumer 'tap' holds topic c-2 back");
            running.close(Duration.ofMillis(1));
        }
    }

    @Test
    void failedSendNamesTopicWithoutConsumer() {
        try (Loops thread = Loops.cooperative(1)) {
            running = pass().on(transport)
                    .with(thread)
                    .sendWithin(Duration.ofMillis(50))
                    .start();

            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            running.inlet().send(new byte[8]);
                        }
                    })
                    .isInstanceOf(BackPressureException.class)
                    .hasMessageContaining("topic c-2 is full and has no consumer: set onOutput");
            running.close(Duration.ofMillis(1));
        }
    }

    @Test
    void statusAndHealthNameConsumerOfInletTopic() {
        start();
        leave("c-0", "audit");
        fill();

        ChainStatus status = running.status();

        assertThat(status.backlog()).as("read by the chain itself").isZero();
        assertThat(status.heldBack()).hasSize(1);
        HeldBack held = status.heldBack().get(0);
        assertThat(held.topic()).isEqualTo("c-0");
        assertThat(held.consumer()).isEqualTo("audit");
        assertThat(held.frames()).isEqualTo(ROOM);
        assertThat(running.status().heldBack().get(0).nanos()).isGreaterThan(held.nanos());
        assertThat(running.health().isHealthy()).isTrue();
        assertThat(running.health().reason().orElseThrow()).contains("consumer 'audit' holds topic c-0 back");
    }

    @Test
    void partNamesConsumerOfItsOutput() {
        start();
        leave("c-1", "tap");
        fill();

        List<PartStatus> parts = running.status().parts();

        assertThat(parts.get(0).output().heldBack().topic()).isEqualTo("c-1");
        assertThat(parts.get(0).output().heldBack().consumer()).isEqualTo("tap");
        assertThat(parts.get(0).output().heldBack().frames()).isEqualTo(ROOM);
        assertThat(parts.get(1).output().heldBack()).isNull();
        assertThat(running.status().holdingBack().orElseThrow().consumer()).isEqualTo("tap");
        assertThat(running.health().reason().orElseThrow()).startsWith("consumer 'tap' holds topic c-1 back");
    }

    @Test
    void nothingIsNamedOnceThereIsRoom() {
        start();
        leave("c-1", "tap");
        fill();
        transport.topic("c-1").acknowledged.put("tap", 1_000L);
        for (int i = 0; i < 10; i++) {
            loops.turn();
        }
        Claim claim = running.inlet().tryClaim(8);
        assertThat(claim).isNotNull();
        claim.abort();

        assertThat(running.status().heldBack()).isEmpty();
        assertThat(running.health()).isEqualTo(new ChainHealth(true, Optional.empty()));
    }

    @Test
    void abandonedSendNamesConsumerForSecondsOnly() {
        start();
        leave("c-0", "audit");
        fill();
        assertThat(running.status().heldBack()).hasSize(1);

        clock.pass(Duration.ofSeconds(3)); // in which the consumer may have been forgotten

        assertThat(running.status().heldBack()).isEmpty();
        assertThat(running.health().reason()).isEmpty();
    }

    @Test
    void refusedPromiseNamesConsumer() {
        start();
        leave("c-0", "audit");
        SharedInlet shared = running.sharedInlet(ROOM);
        for (int i = 0; i < 2 * ROOM; i++) {
            shared.offer(new byte[8]);
            loops.turn();
        }
        long full = System.nanoTime();
        while (shared.offer(new byte[8]) == Offer.ACCEPTED || System.nanoTime() - full < REFUSED_NANOS) {
            loops.turn();
        }

        assertThat(shared.offerStored(new byte[8]))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .withMessageContaining("consumer 'audit' holds topic c-0 back");
        assertThat(running.status().heldBack().get(0).consumer()).isEqualTo("audit");
    }

    @Test
    void jmxNamesConsumer() throws Exception {
        start();
        leave("c-1", "tap");
        fill();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try (ManagedChain managed = ManagedChain.register(running, 9)) {
            ObjectName name = new ObjectName(managed.name());
            CompositeData[] parts = (CompositeData[]) server.getAttribute(name, "Parts");

            assertThat(parts[0].get("heldBackBy")).isEqualTo("tap");
            assertThat(parts[0].get("heldBackFrames")).isEqualTo((long) ROOM);
            assertThat((String[]) server.getAttribute(name, "HeldBack"))
                    .anyMatch(each -> each.startsWith("consumer 'tap' holds topic c-1 back"));
            assertThat(server.getAttribute(name, "Healthy")).isEqualTo(true);
            assertThat((String) server.getAttribute(name, "Reason")).contains("holds topic");
        }
    }

    @Test
    void failedChainIsNotHealthy() {
        running = Chain.named("c")
                .then("s", () -> (in, out) -> {
                    throw new IllegalStateException("no price");
                })
                .build()
                .on(transport)
                .with(loops)
                .onFailure(failure -> {})
                .start();
        running.inlet().send(new byte[8]);
        loops.turn();

        assertThat(running.health().isHealthy()).isFalse();
        assertThat(running.health().reason().orElseThrow())
                .startsWith("chain c has failed: ")
                .contains("no price");
        running.close();
        assertThat(running.health().reason()).contains("chain c is closed");
    }

    private static Chain pass() {
        return Chain.named("c").then("one", () -> PASS).then("two", () -> PASS).build();
    }

    private void start() {
        running = pass().on(transport).with(loops).onOutput(in -> {}).start();
    }

    /** A consumer that read once. */
    private void leave(String topic, String consumer) {
        try (Connection connection = transport.connect();
                TopicReader reader = connection.openReader(topic, consumer)) {
            assertThat(reader).isNotNull();
        }
    }

    /** Sends until nothing is taken any more. */
    private void fill() {
        for (long last = System.nanoTime(); System.nanoTime() - last < REFUSED_NANOS; loops.turn()) {
            Claim claim = running.inlet().tryClaim(8);
            if (claim != null) {
                claim.commit(8);
                last = System.nanoTime();
            }
        }
        clock.pass(Duration.ofNanos(REFUSED_NANOS)); // a thread that was not run may have tried only once
        assertThat(running.inlet().tryClaim(8)).isNull();
        loops.turn();
    }
}
