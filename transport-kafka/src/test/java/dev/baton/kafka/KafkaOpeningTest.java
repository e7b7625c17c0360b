package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A chain that is opened does not hold up the others of its loop, though the broker takes its time to answer. */
class KafkaOpeningTest extends OnBroker {
    private final AtomicInteger ticks = new AtomicInteger();
    private final CountDownLatch isHeld = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @Test
    void chainContinuesWhileAnotherIsOpened() throws InterruptedException {
        KafkaTransport transport = transport();
        try (Loops loops = Loops.cooperative(1);
                RunningChain steady = deployment("steady", transport, loops)
                        .from(out -> {
                            ticks.incrementAndGet();
                            return 0;
                        })
                        .start()) {
            deployment("slow", transport, loops).start().close(); // leaves markers, which the next open reads
            Thread holder = new Thread(() -> holdReading(transport));
            holder.start();
            isHeld.await();
            AtomicReference<RunningChain> opened = new AtomicReference<>();
            Thread starter = new Thread(
                    () -> opened.set(deployment("slow", transport, loops).start()));
            starter.start();
            await().atMost(LONGEST_WAIT).until(() -> starter.getState() == Thread.State.BLOCKED);
            int seen = ticks.get();
            await().atMost(LONGEST_WAIT).until(() -> ticks.get() > seen + 100);
            assertThat(starter.getState()).isEqualTo(Thread.State.BLOCKED);
            release.countDown();
            starter.join();
            assertThat(opened.get().close(LONGEST_WAIT)).isTrue();
            assertThat(steady.failure()).isEmpty();
        } finally {
            release.countDown();
        }
    }

    /** As a broker that does not hand out the records that an open has to read. */
    private void holdReading(KafkaTransport transport) {
        synchronized (transport.context().scanner()) {
            isHeld.countDown();
            try {
                release.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Deployment deployment(String name, KafkaTransport transport, Loops loops) {
        return Chain.named("beside-" + name)
                .then("s1", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops);
    }
}
