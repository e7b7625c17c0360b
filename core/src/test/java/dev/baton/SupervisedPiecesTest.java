package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Taps and merges that are opened again when they fail. */
@Timeout(20)
class SupervisedPiecesTest {
    private static final RestartPolicy SOON = RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(5));

    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Loops loops = Loops.cooperative(1);
    private volatile boolean fails;

    SupervisedPiecesTest() {
        transport.room = 1_000;
        transport.createTopics(List.of("a", "b"));
        transport.write("a", 1, 2);
        transport.write("b", 11, 12);
    }

    @AfterEach
    void nothingIsLeft() {
        loops.close();
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void aTapWhoseTransportFailedGoesOn() {
        try (RunningChain tap = tap().restart(SOON).onOutput(this::take).start()) {
            await(() -> received.size() == 2);
            failAndRecover(tap);
            transport.write("a", 3, 4);
            await(() -> received.size() == 4);
            assertThatThrownBy(tap::inlet)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no inlet");
            assertThat(tap.close(Duration.ofSeconds(5))).isTrue();
        }
        assertThat(received).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void throwingTapRestartsAfterServiceFailuresOnly() {
        fails = true;
        try (RunningChain tap = tap().restart(SOON).onOutput(this::take).start()) {
            await(() -> tap.failure().isPresent());
            assertThat(tap.restarts()).isZero();
        }
        try (RunningChain tap =
                tap().restart(SOON.afterServiceFailures()).onOutput(this::take).start()) {
            await(() -> tap.restarts() > 1);
            fails = false;
            await(() -> received.size() == 2);
        }
        assertThat(failures).singleElement().isInstanceOf(ServiceFailure.class);
    }

    @Test
    void mergeWhoseTransportFailedMergesEachMessageOnce() {
        Merge merge = Merge.named("m").from("a").from("b").build();
        try (RunningChain merging =
                merge.on(transport).with(loops).restart(SOON).start()) {
            await(() -> transport.topic("m-merged").size() == 4);
            failAndRecover(merging);
            transport.write("b", 13, 14);
            await(() -> transport.topic("m-merged").size() == 6);
            assertThatThrownBy(merging::inlet).hasMessageContaining("merge m has no inlet");
            await(() -> merging.status().parts().size() == 2);
            assertThat(merging.close(Duration.ofSeconds(5))).isTrue();
        }
        assertThat(transport.frames("m-merged").stream().peek(Frame::validate).map(frame -> frame.getLong(0)))
                .containsExactlyInAnyOrder(1L, 2L, 11L, 12L, 13L, 14L);
    }

    @Test
    void partitionsKeepTheCountOfTheirRestarts() {
        RunningChain running = Chain.named("p")
                .then("s1", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .partitions(2)
                .restart(SOON)
                .start();
        failAndRecover(running);
        await(() -> running.status().phase() == ChainStatus.Phase.RUNNING);
        int restarts = running.restarts();
        assertThat(running.lastFailure()).get().asString().contains("the disk is away");
        running.close(Duration.ofSeconds(5));
        assertThat(running.restarts()).isGreaterThanOrEqualTo(restarts);
        assertThat(running.lastFailure()).get().asString().contains("the disk is away");
    }

    @Test
    void firstStartThrowsAndManualLoopsAreRefused() {
        Merge merge = Merge.named("m").from("a").from("b").build();
        transport.duringOpen = topic -> {
            throw new TransportException("no disk for " + topic);
        };
        assertThatThrownBy(() -> merge.on(transport).with(loops).restart(SOON).start())
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("no disk for m-merged");
        try (Loops manual = Loops.manual()) {
            assertThatThrownBy(
                            () -> merge.on(transport).with(manual).restart(SOON).start())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("manual loops");
            assertThatThrownBy(() -> tap().with(manual)
                            .restart(SOON)
                            .onOutput(this::take)
                            .start())
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private Deployment tap() {
        return Chain.tap("audit", "a").on(transport).with(loops).onFailure(failures::add);
    }

    private void take(Message in) {
        if (fails) {
            throw new IllegalStateException("no disk");
        }
        received.add(in.getLong(0));
    }

    private void failAndRecover(RunningChain piece) {
        transport.backgroundFailure = new TransportException("the disk is away");
        await(() -> piece.restarts() > 1);
        transport.backgroundFailure = null;
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}
