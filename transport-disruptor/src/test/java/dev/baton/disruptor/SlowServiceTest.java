package dev.baton.disruptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A service whose calls take 5 ms, with the default batch. */
class SlowServiceTest {
    private enum Threading {
        COOPERATIVE(() -> Loops.cooperative(1)),
        PER_SERVICE(Loops::threadPerService);

        final Supplier<Loops> loops;

        Threading(Supplier<Loops> loops) {
            this.loops = loops;
        }
    }

    @ParameterizedTest
    @EnumSource(Threading.class)
    void firstOutputIsNotHeldBack(Threading threading) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<Integer> callsAtFirstOutput = new CompletableFuture<>();
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                Loops loops = threading.loops.get();
                RunningChain running = Chain.named("payments")
                        .then("lookup", () -> (in, out) -> {
                            calls.incrementAndGet();
                            LockSupport.parkNanos(5_000_000);
                            out.forward(in);
                        })
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> callsAtFirstOutput.complete(calls.get()))
                        .start()) {
            for (int i = 0; i < 256; i++) {
                running.inlet().send(new byte[8]);
            }
            assertThat(callsAtFirstOutput.get(10, TimeUnit.SECONDS))
                    .as("calls begun when the first output arrived")
                    .isLessThan(20);
            ChainStatus status = running.status();
            assertThat(status.isComplete()).isTrue();
            assertThat(status.blocked()).isEmpty();
            running.close(Duration.ofMillis(1));
        }
    }
}
