package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Durations and names that are out of all bounds. */
class LimitsTest {
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final HostileTransport transport = new HostileTransport();
    private final Chain chain = Chain.named("c").build();

    @Test
    void forEverIsALimitLikeOthers() {
        try (Loops loops = Loops.manual()) {
            RunningChain running = chain.on(transport)
                    .with(loops)
                    .sendWithin(FOREVER)
                    .openWithin(FOREVER)
                    .start();
            running.inlet().send(new byte[1]);
            assertThat(running.close(FOREVER)).isTrue();
            RunningChain partitions =
                    chain.renamed("p").on(transport).with(loops).partitions(2).start();
            assertThat(partitions.close(FOREVER)).isTrue();
        }
    }

    @Test
    void forEverIsBudgetAndPauseLikeOthers() {
        for (Loops each : List.of(
                Loops.cooperative(1).latencyBudget(FOREVER),
                Loops.cooperative(1).idle(Idle.park(FOREVER)))) {
            try (Loops loops = each;
                    RunningChain running =
                            chain.on(transport).with(loops).onOutput(in -> {}).start()) {
                running.inlet().send(new byte[1]);
                assertThat(running.close(Duration.ofSeconds(10)))
                        .as("%s, failure %s", loops, running.failure())
                        .isTrue();
            }
        }
    }

    @Test
    void pauseAndBudgetHaveLowerBounds() {
        for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1), FOREVER.negated())) {
            assertThatThrownBy(() -> Idle.park(none)).hasMessageContaining("longer than zero");
            assertThatThrownBy(() -> Loops.manual().latencyBudget(none)).hasMessageContaining("100 us or more");
        }
        assertThatThrownBy(() -> Idle.park(null)).hasMessage("pause");
        assertThatThrownBy(() -> Loops.manual().latencyBudget(null)).hasMessage("latency budget");
    }

    @Test
    void noLimitIsRefusedAndChangesNothing() {
        try (Loops loops = Loops.manual()) {
            Deployment deployment = chain.on(transport).with(loops);
            assertThatThrownBy(() -> deployment.sendWithin(null)).hasMessage("time to send");
            RunningChain running = deployment.start();
            assertThatThrownBy(() -> running.close(null)).hasMessage("limit");
            assertThat(running.status().phase()).isEqualTo(ChainStatus.Phase.RUNNING);
            assertThat(running.close(Duration.ofSeconds(-1)))
                    .as("nothing is in hand")
                    .isTrue();
            RunningChain partitions =
                    chain.renamed("p").on(transport).with(loops).partitions(2).start();
            assertThatThrownBy(() -> partitions.close(null)).hasMessage("limit");
            assertThat(partitions.close(Duration.ofSeconds(1))).isTrue();
        }
    }

    @Test
    void durationsBeyondMillisecondsAreStillNamed() {
        try (Loops loops = Loops.manual()) {
            Deployment partitions = chain.on(transport).with(loops).partitions(2);
            assertThatThrownBy(() -> partitions.revokeTimeout(FOREVER))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("9223372036854775807000 ms; 0 to 600000 ms");
            assertThatThrownBy(() -> partitions.revokeTimeout(null)).hasMessage("revoke timeout");
            assertThatThrownBy(() -> partitions.member(null)).hasMessage("member name");
        }
    }

    @Test
    void nameThatIsMissingIsSaidToBe() {
        assertThatThrownBy(() -> Chain.named(null)).hasMessage("chain name");
        assertThatThrownBy(() -> Chain.named("c").then(null, () -> (in, out) -> {}))
                .hasMessage("service name");
    }
}
