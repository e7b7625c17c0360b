package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.engine.loop.Connections;
import dev.baton.engine.loop.LoopPool;
import dev.baton.engine.loop.Task;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.Misuses;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An inlet whose connection is driven calls its writer only while it has the connection. Before each call of the inlet the
 * driver has a turn of its loop, in which it takes the connection unless the inlet has it: {@link Misuses} notes the call then.
 */
class InletOwnershipTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final HostileTransport transport = new HostileTransport();
    private final AtomicLong sweeps = new AtomicLong();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final LoopPool loops = LoopPool.cooperative(1);
    private RunningChain running;

    @BeforeEach
    void start() {
        transport.needsWork = true;
        transport.room = 100;
        loops.nextLoop().add(new SweepCounter()).join();
        running = Chain.named("c")
                .then("s1", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onFailure(failures::add)
                .start();
    }

    @AfterEach
    void close() {
        transport.beforeCall = () -> {};
        running.close();
        loops.close();
        assertThat(failures).isEmpty();
    }

    /** Counts the sweeps of its loop, and keeps it from parking. */
    private final class SweepCounter implements Task {
        @Override
        public void open(Connections connections) {}

        @Override
        public int doWork() {
            sweeps.incrementAndGet();
            return 1;
        }

        @Override
        public void failed(Throwable cause) {}

        @Override
        public void close() {}
    }

    /** Gives the driver its turn before each call of another thread from now on. */
    private void letTheDriverGoFirst() {
        transport.beforeCall = () -> {
            if (!Thread.currentThread().getName().startsWith("baton-loop")) {
                long before = sweeps.get();
                long begun = System.nanoTime();
                while (sweeps.get() < before + 2) {
                    assertThat(System.nanoTime() - begun)
                            .as("nanoseconds of a sweep")
                            .isLessThan(LIMIT.toNanos());
                    LockSupport.parkNanos(20_000);
                }
            }
        };
    }

    @Test
    void closingThreadAsksWriterUnderLock() throws InterruptedException {
        Thread sender = new Thread(() -> running.inlet().send(new byte[1]));
        sender.start();
        sender.join();
        letTheDriverGoFirst();

        assertThat(running.close(LIMIT)).isTrue();
    }

    @Test
    void theOwnerReadsSequencesUnderTheLock() {
        Inlet inlet = running.inlet();
        inlet.send(new byte[1]);
        letTheDriverGoFirst();

        assertThat(inlet.sequence()).isEqualTo(1);
        assertThat(inlet.storedSequence()).isBetween(0L, 1L);
    }

    @Test
    void theOwnerAbortsClaimsUnderTheLock() {
        Inlet inlet = running.inlet();
        letTheDriverGoFirst();

        inlet.tryClaim(1).abort();
        Claim dropped = inlet.tryClaim(1);
        assertThatThrownBy(() -> dropped.commit(2)).hasMessageContaining("0 to the claimed 1");
        dropped.abort();
        inlet.send(new byte[1]);
        assertThat(inlet.sequence()).isEqualTo(1);
    }

    @Test
    void aBatchCallsTheWriterUnderTheLock() {
        Inlet inlet = running.inlet();
        letTheDriverGoFirst();

        try (Batch batch = inlet.batch()) {
            batch.send(new byte[1]);
            batch.tryClaim(1).abort();
            batch.flush();
            batch.send(new byte[1]);
            batch.tryClaim(1);
        }
        assertThat(inlet.sequence()).isEqualTo(2);
    }

    @Test
    void claimIsAbortedWithoutEffectAfterClose() {
        Claim claim = running.inlet().tryClaim(1);
        letTheDriverGoFirst();
        running.close(LIMIT);

        claim.abort();
    }
}
