package dev.baton.lab.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.lab.results.Json;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The batch that a plan gives to deployments. */
class LoopPlanTest {
    @Test
    void batchLimitsMessagesPerTurn() {
        assertThat(handledInOneTurn(3)).isEqualTo(3);
        assertThat(handledInOneTurn(0)).as("by default").isEqualTo(10);
    }

    private static int handledInOneTurn(int batch) {
        AtomicInteger handled = new AtomicInteger();
        Chain chain = Chain.named("batches")
                .then("counts", () -> (in, out) -> handled.incrementAndGet())
                .build();
        try (Transport transport = DisruptorTransport.create();
                Loops loops = Loops.manual()) {
            Deployment deployment = new LoopPlan("cooperative:1", null, 0, batch)
                    .batched(chain.on(transport).with(loops).onOutput(message -> {}));
            try (RunningChain running = deployment.start()) {
                for (int i = 0; i < 10; i++) {
                    running.inlet().send(new byte[1]);
                }
                loops.turn();
                return handled.get();
            }
        }
    }

    @Test
    void fileOfEarlierVersionHasDefaultBatch() {
        LoopPlan plan = Json.parse(
                "{\"threading\": \"cooperative:1\", \"idle\": \"spin\", \"latencyBudgetNanos\": 7}", LoopPlan.class);
        assertThat(plan).isEqualTo(new LoopPlan("cooperative:1", "spin", 7));
        assertThat(plan.batch()).isZero();
    }

    @Test
    void aBatchBeyondTheLargestIsRefused() {
        assertThatThrownBy(() -> new LoopPlan("cooperative:1", null, 0, LoopPlan.MOST_BATCH + 1))
                .hasMessage("batch 1048577 is out of range; 0 to 1048576");
        assertThatThrownBy(() -> new LoopPlan("cooperative:1", null, 0, -1)).hasMessageContaining("batch -1");
    }
}
