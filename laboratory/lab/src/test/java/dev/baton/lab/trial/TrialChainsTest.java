package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of chains that a trial runs side by side. */
@Timeout(60)
class TrialChainsTest {
    @TempDir
    private Path results;

    @Test
    void chainsAreClosedTogether() throws Exception {
        PlacedTrial trial =
                Plans.of(results, "disruptor", Map.of(), new Shape(1, 2, 0), Plans.EVEN_1000, "per-service", 1_000);
        Chain chain = Chain.named("both")
                .then("s1", () -> (in, out) -> out.forward(in))
                .build();
        CountDownLatch released = new CountDownLatch(1);
        try (TrialChains chains = new TrialChains(trial, DisruptorTransport::create)) {
            RunningChain stalled =
                    chains.start(chain, 0, deployment -> deployment.onOutput(in -> awaitRelease(released)));
            RunningChain other = chains.start(chain, 1, deployment -> deployment.onOutput(in -> {}));
            stalled.inlet().send(new byte[8]);
            Inlet open = other.inlet();
            Thread stopping = new Thread(() -> chains.stop(Duration.ofSeconds(40)), "stopping");
            stopping.start();

            await().until(() -> isClosed(open));
            assertThat(stopping.isAlive()).isTrue();

            released.countDown();
            stopping.join();
            assertThat(chains.isDrained(0)).isTrue();
            assertThat(chains.isDrained(1)).isTrue();
            assertThat(chains.hadTimeToDrain(1)).isTrue();
        }
    }

    private static boolean isClosed(Inlet inlet) {
        try {
            inlet.send(new byte[8]);
            return false;
        } catch (IllegalStateException closed) {
            return true;
        }
    }

    private static void awaitRelease(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
