package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Environment;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The start of a chain by a thread that each reading of the clock delays until its loop has taken turns. */
@Timeout(30)
class SlowStarterTest {
    /** The environment of the JVM, in which a loop takes turns between two steps of the thread that created this. */
    private static final class Delaying implements Environment {
        private final Environment real = Environment.system();
        private final Thread delayed = Thread.currentThread();
        private final AtomicLong turns = new AtomicLong();
        private volatile boolean hasLoop;

        @Override
        public long nanoTime() {
            if (Thread.currentThread() == delayed) {
                for (long enough = turns.get() + 3; hasLoop && turns.get() < enough; ) {
                    Thread.yield();
                }
            }
            return real.nanoTime();
        }

        @Override
        public long wallNanos() {
            return real.wallNanos();
        }

        @Override
        public Thread thread() {
            return real.thread();
        }

        @Override
        public void park(long nanos) {
            real.park(nanos);
        }

        @Override
        public void unpark(Thread thread) {
            real.unpark(thread);
        }

        @Override
        public void yield() {
            real.yield();
        }

        @Override
        public void spin() {
            real.spin();
        }

        @Override
        public Thread start(String name, ThreadFactory threads, Worker worker) {
            hasLoop = true;
            return real.start(name, threads, () -> {
                hasLoop = worker.turn();
                turns.incrementAndGet();
                return hasLoop;
            });
        }

        @Override
        public boolean join(Thread thread, long nanos) {
            return real.join(thread, nanos);
        }
    }

    @Test
    void startReturnsWhenAllPartsRun() {
        List<Integer> delivered = new CopyOnWriteArrayList<>();
        try (Loops loops = Loops.cooperative(1).idle(Idle.yielding()).in(new Delaying());
                RunningChain running = Chain.named("c")
                        .then("s", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(new HostileTransport())
                        .with(loops)
                        .onOutput(in -> delivered.add(in.length()))
                        .start()) {
            assertThat(running.status().parts()).hasSize(2);
            running.inlet().send(new byte[3]);
            await().until(() -> delivered, List.of(3)::equals);
        }
    }
}
