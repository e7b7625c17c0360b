package dev.baton.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorOptions;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Loops;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** A chain that is watched allocates nothing per message once warm, samples included. */
class WatchedAllocationTest {
    private static final int WARM_UP = 200_000;
    private static final int ROUND = 2_000;
    private static final int ROUNDS = 50;

    @Test
    void messagesAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported() && threads.isThreadAllocatedMemoryEnabled());
        BatonMetrics metrics = new BatonMetrics();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        metrics.bindTo(registry);
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                Loops loops = metrics.add(Loops.manual());
                RunningChain running = metrics.start(Chain.named("c")
                        .then("one", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {}))) {
            Inlet inlet = running.inlet();
            carry(inlet, loops, WARM_UP);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                carry(inlet, loops, ROUND);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }

            assertThat(least)
                    .as("bytes allocated for %d messages in the best of %d rounds", ROUND, ROUNDS)
                    .isLessThanOrEqualTo(8);
            assertThat(registry.get("baton.service.time")
                            .tag("service", "one")
                            .timer()
                            .count())
                    .as("samples")
                    .isGreaterThan(10);
        }
        registry.close();
    }

    private static void carry(Inlet inlet, Loops loops, int messages) {
        for (int i = 0; i < messages; i++) {
            Claim claim = inlet.tryClaim(Long.BYTES);
            claim.putLong(0, i).commit(Long.BYTES);
            loops.turn();
        }
    }
}
