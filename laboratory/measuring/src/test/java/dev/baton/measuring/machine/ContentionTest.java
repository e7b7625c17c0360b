package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.baton.measuring.data.HostActivity.RunQueue;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.machine.CounterReading.TaskTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The division of waits between other processes and the trial's own threads. */
@Tag("slow")
class ContentionTest {
    private static final long SECOND = 1_000_000_000;
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private static TaskTimes thread(double ran, double waited) {
        return new TaskTimes((long) (ran * SECOND), (long) (waited * SECOND));
    }

    private static RunQueue of(double others, TaskTimes... threads) {
        return CounterReading.Contention.of(List.of(threads), others, 2, SECOND);
    }

    @Test
    void singleThreadWaitsOnlyForOthers() {
        RunQueue queue = of(1.5, thread(0.5, 0.5));
        assertThat(queue.usedCores()).isCloseTo(0.5, within(1e-9));
        assertThat(queue.waitedCores()).isCloseTo(0.5, within(1e-9));
        assertThat(queue.takenCores()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void waitsAreDividedByCpuUse() {
        RunQueue queue = of(0.6, thread(0.2, 0.3), thread(0.4, 0.1));
        assertThat(queue.takenCores()).isCloseTo(0.3 * 0.6 / 1.0 + 0.1 * 0.6 / 0.8, within(1e-9));
    }

    @Test
    void idleMachineTakesNothing() {
        assertThat(of(0, thread(1, 3), thread(1, 3)).takenCores()).isZero();
    }

    @Test
    void othersTakeNoMoreThanTheyUsed() {
        List<TaskTimes> hundred = Collections.nCopies(100, thread(0.01, 0.9));
        assertThat(CounterReading.Contention.of(hundred, 0.2, 2, SECOND).takenCores())
                .isCloseTo(0.2, within(1e-9));
    }

    @Test
    void trialWithAllCoresLacksNone() {
        List<TaskTimes> overload = Collections.nCopies(10, thread(0.2, 0.8));
        RunQueue queue = CounterReading.Contention.of(overload, 30, 2, SECOND);
        assertThat(queue.waitedCores()).isCloseTo(8, within(1e-9));
        assertThat(queue.takenCores()).isCloseTo(0, within(1e-9));
    }

    @Test
    void timesOfThreadsCountFromTheirBeginning() {
        assertThat(thread(0.5, 0.4).since(thread(0.2, 0.1))).isEqualTo(thread(0.3, 0.3));
        assertThat(thread(0.5, 0.4).since(null)).isEqualTo(thread(0.5, 0.4));
        assertThat(thread(0, 0).since(thread(0.2, 0.1))).isEqualTo(thread(0, 0));
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "run-queue delay is Linux's")
    void busyProcessesTakeCpuFromThread() throws IOException {
        List<Process> burning = new ArrayList<>();
        try {
            for (int i = 0; i < 2 * CORES; i++) {
                burning.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }
            Machine machine = spinning(1);
            RunQueue queue = machine.host().runQueue();
            assertThat(queue.usedCores()).as(queue.toString()).isBetween(0.01, 0.9);
            assertThat(queue.takenCores()).as(queue.toString()).isGreaterThan(0.2);
            assertThat(machine.host().withheld().byOthers())
                    .as(queue.toString())
                    .isGreaterThan(0.2);
        } finally {
            burning.forEach(Process::destroyForcibly);
            burning.forEach(each -> each.onExit().join());
        }
    }

    /** Whatever else runs here: the trial and what was taken from it fit on the cores. */
    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "run-queue delay is Linux's")
    void waitsForOwnThreadsAreNotTaken() {
        Machine machine = spinning(4 * CORES);
        RunQueue queue = machine.host().runQueue();
        assertThat(queue.waitedCores()).as(queue.toString()).isGreaterThan(CORES);
        assertThat(queue.usedCores() + queue.takenCores()).as(queue.toString()).isLessThanOrEqualTo(CORES + 0.1);
        assertThat(queue.takenCores())
                .as(queue.toString())
                .isLessThanOrEqualTo(machine.host().otherProcessesCores() + 0.1);
    }

    /** A window in which threads of this process ask for a core all the time. */
    private static Machine spinning(int threads) {
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                while (!isOver.get()) {
                    Thread.onSpinWait();
                }
            });
            thread.start();
            all.add(thread);
        }
        try (MachineWatch watch = MachineWatch.start(List.of())) {
            watch.begin(System.nanoTime(), 0);
            long until = System.nanoTime() + SECOND;
            while (System.nanoTime() - until < 0) {
                LockSupport.parkNanos(until - System.nanoTime());
            }
            watch.sample();
            watch.end(1);
            return watch.result();
        } finally {
            isOver.set(true);
            all.forEach(ContentionTest::join);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
