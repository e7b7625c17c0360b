package dev.baton.disruptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Idle chains with a thread for each service. */
class IdleChainsTest {
    private static final int CHAINS = 8;
    private static final int SERVICES = 5;
    private static final long MEASURED_NANOS = 1_000_000_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final List<Thread> loopThreads = new ArrayList<>();

    @Test
    void idleLoopsTakeLittleTime() throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(CHAINS);
        CountDownLatch arrivedLater = new CountDownLatch(CHAINS);
        List<RunningChain> chains = new ArrayList<>();
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                Loops loops = Loops.threadPerService().threads(this::thread)) {
            for (int i = 0; i < CHAINS; i++) {
                chains.add(start(transport, loops, i, arrived, arrivedLater));
            }
            assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();

            long begun = System.nanoTime();
            long before = cpuNanos();
            while (System.nanoTime() - begun < MEASURED_NANOS) {
                LockSupport.parkNanos(MEASURED_NANOS / 10);
            }
            double share = (double) (cpuNanos() - before) / (System.nanoTime() - begun);

            assertThat(share)
                    .as("cores that %d idle loops take; 0.2 if each looks every millisecond", loopThreads.size())
                    .isLessThan(0.06);

            chains.forEach(each -> each.inlet().send(new byte[8]));
            assertThat(arrivedLater.await(10, TimeUnit.SECONDS))
                    .as("messages wake loops that rest")
                    .isTrue();
            chains.forEach(RunningChain::close);
        }
    }

    private RunningChain start(
            DisruptorTransport transport, Loops loops, int number, CountDownLatch first, CountDownLatch second) {
        Chain.Builder chain = Chain.named("idle" + number);
        for (int i = 0; i < SERVICES; i++) {
            chain.then("s" + i, () -> (in, out) -> out.forward(in));
        }
        RunningChain running = chain.build()
                .on(transport)
                .with(loops)
                .onOutput(in -> (in.sequence() == 1 ? first : second).countDown())
                .start();
        running.inlet().send(new byte[8]);
        return running;
    }

    private Thread thread(Runnable body) {
        Thread made = new Thread(body);
        made.setDaemon(true);
        loopThreads.add(made);
        return made;
    }

    private long cpuNanos() {
        return loopThreads.stream()
                .mapToLong(each -> threads.getThreadCpuTime(each.getId()))
                .sum();
    }
}
