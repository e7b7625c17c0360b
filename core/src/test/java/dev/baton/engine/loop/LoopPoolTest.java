package dev.baton.engine.loop;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.run.Idle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LoopPoolTest {
    /** Counts its turns and remembers what befell it. */
    private static class Counting implements Task {
        final AtomicInteger turns = new AtomicInteger();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        volatile Thread thread;
        volatile boolean isOpen;
        volatile int workPerTurn;

        @Override
        public void open(Connections connections) {
            thread = Thread.currentThread();
            isOpen = true;
        }

        @Override
        public int doWork() {
            turns.incrementAndGet();
            return workPerTurn;
        }

        @Override
        public void failed(Throwable cause) {
            failure.set(cause);
        }

        @Override
        public void close() {
            assertThat(Thread.currentThread()).isSameAs(thread);
            isOpen = false;
        }
    }

    @Test
    void taskWithFailingDeadlineFailsAlone() throws Exception {
        IllegalStateException thrown = new IllegalStateException("no clock");
        Counting broken = new Counting() {
            @Override
            public long deadlineNanos() {
                throw thrown;
            }
        };
        Counting healthy = new Counting();
        try (LoopPool loops = LoopPool.cooperative(1)) {
            Loop loop = loops.nextLoop();
            loop.add(broken).get(5, SECONDS);
            loop.add(healthy).get(5, SECONDS);
            await().until(() -> broken.failure.get() == thrown);
            int turns = healthy.turns.get();
            await().until(() -> healthy.turns.get() > turns);
        }
    }

    @Test
    void taskIsConfinedToOneThread() throws Exception {
        Counting task = new Counting();
        try (LoopPool loops = LoopPool.cooperative(1)) {
            Loop loop = loops.nextLoop();
            loop.add(task).get(5, SECONDS);
            assertThat(task.isOpen).isTrue();
            await().until(() -> task.turns.get() > 3);
            loop.remove(task).get(5, SECONDS);
            assertThat(task.isOpen).isFalse();
        }
        assertThat(task.thread.isAlive()).isFalse();
    }

    @Test
    void cooperativeLoopsAreAssignedInTurn() {
        try (LoopPool two = LoopPool.cooperative(2);
                LoopPool each = LoopPool.threadPerService()) {
            Loop first = two.nextLoop();
            Loop second = two.nextLoop();
            assertThat(second).isNotSameAs(first);
            assertThat(List.of(two.nextLoop(), two.nextLoop())).containsExactly(first, second);
            assertThat(each.nextLoop()).isNotSameAs(each.nextLoop());
        }
    }

    @Test
    void loopsBehindRetiredOnesHaveOwnNames() throws Exception {
        try (LoopPool loops = LoopPool.threadPerService()) {
            Loop retired = loops.nextLoop();
            Counting second = new Counting();
            loops.nextLoop().add(second).get(5, SECONDS);
            loops.retire(List.of(retired), System.nanoTime() + SECONDS.toNanos(5));
            Counting third = new Counting();
            loops.nextLoop().add(third).get(5, SECONDS);
            assertThat(third.thread.getName()).isNotEqualTo(second.thread.getName());
        }
    }

    @Test
    @Timeout(30)
    void blockedLoopsAreRetiredWithinOneLimit() throws Exception {
        CountDownLatch unblock = new CountDownLatch(1);
        CountDownLatch areBlocked = new CountDownLatch(2);
        try (LoopPool loops = LoopPool.threadPerService()) {
            List<Loop> both = List.of(loops.nextLoop(), loops.nextLoop());
            for (Loop each : both) {
                each.add(new Counting() {
                    @Override
                    public int doWork() {
                        areBlocked.countDown();
                        try {
                            unblock.await();
                        } catch (InterruptedException interrupted) {
                            Thread.currentThread().interrupt();
                        }
                        return super.doWork();
                    }
                });
            }
            areBlocked.await();
            long began = System.nanoTime();
            loops.retire(both, began + TimeUnit.MILLISECONDS.toNanos(200));
            assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(8));
        } finally {
            unblock.countDown();
        }
    }

    @Test
    void closeOnInterruptedThreadWaitsForLoops() throws Exception {
        CountDownLatch mayClose = new CountDownLatch(1);
        Counting slow = new Counting() {
            @Override
            public void close() {
                try {
                    mayClose.await();
                } catch (InterruptedException interrupted) {
                    throw new AssertionError(interrupted);
                }
                super.close();
            }
        };
        LoopPool loops = LoopPool.cooperative(1);
        loops.nextLoop().add(slow).get(5, SECONDS);
        AtomicReference<Boolean> wasInterrupted = new AtomicReference<>();
        Thread closer = new Thread(() -> {
            Thread.currentThread().interrupt();
            loops.close();
            wasInterrupted.set(Thread.interrupted());
        });
        closer.start();
        try {
            await().until(() -> closer.getState() == Thread.State.TIMED_WAITING || !closer.isAlive());
            assertThat(closer.isAlive()).as("waits for the loop").isTrue();
        } finally {
            mayClose.countDown();
            closer.join();
        }
        assertThat(wasInterrupted).hasValue(true);
        assertThat(slow.isOpen).isFalse();
    }

    @Test
    void throwingTaskGetsNoMoreTurns() throws Exception {
        Counting good = new Counting();
        Counting bad = new Counting() {
            @Override
            public int doWork() {
                super.doWork();
                throw new IllegalStateException("bad");
            }
        };
        try (LoopPool loops = LoopPool.cooperative(1)) {
            Loop loop = loops.nextLoop();
            loop.add(bad).get(5, SECONDS);
            loop.add(good).get(5, SECONDS);
            await().until(() -> good.turns.get() > 3);
            assertThat(bad.turns).hasValue(1);
            assertThat(bad.failure.get()).hasMessage("bad");
            assertThat(bad.isOpen).isTrue();
        }
        assertThat(bad.isOpen).isFalse();
        assertThat(good.failure.get()).hasMessageContaining("closed before the chain");
    }

    @Test
    void taskThatCannotOpenIsClosedAndReported() {
        Counting task = new Counting() {
            @Override
            public void open(Connections connections) {
                super.open(connections);
                throw new IllegalArgumentException("no");
            }
        };
        try (LoopPool loops = LoopPool.cooperative(1)) {
            assertThatThrownBy(() -> loops.nextLoop().add(task).get(5, SECONDS)).hasRootCauseMessage("no");
            assertThat(task.isOpen).isFalse();
        }
    }

    @Test
    void idleLoopWakesForMessagesDuringItsPause() throws Exception {
        AtomicLong sawNanos = new AtomicLong();
        AtomicInteger news = new AtomicInteger();
        Counting task = new Counting() {
            @Override
            public int doWork() {
                if (news.compareAndSet(1, 0)) {
                    sawNanos.set(System.nanoTime());
                    return 1;
                }
                return 0;
            }
        };
        try (LoopPool loops = LoopPool.cooperative(1).idle(Idle.park(Duration.ofSeconds(30)))) {
            Loop loop = loops.nextLoop();
            loop.add(task).get(5, SECONDS);
            for (int i = 0; i < 100; i++) {
                sawNanos.set(0);
                news.set(1);
                loop.wake();
                await().pollInterval(Duration.ofNanos(100_000))
                        .atMost(5, SECONDS)
                        .until(() -> sawNanos.get() != 0);
            }
        }
    }

    @Test
    void idleLoopWakesForDeadlineOfTask() throws Exception {
        long start = System.nanoTime();
        long deadline = start + TimeUnit.MILLISECONDS.toNanos(20);
        AtomicLong ranNanos = new AtomicLong();
        Counting task = new Counting() {
            @Override
            public int doWork() {
                if (ranNanos.get() == 0 && System.nanoTime() - deadline >= 0) {
                    ranNanos.set(System.nanoTime());
                    return 1;
                }
                return 0;
            }

            @Override
            public long deadlineNanos() {
                return ranNanos.get() == 0 ? deadline : Long.MAX_VALUE;
            }
        };
        try (LoopPool loops = LoopPool.cooperative(1).idle(Idle.park(Duration.ofSeconds(30)))) {
            loops.nextLoop().add(task).get(5, SECONDS);
            await().atMost(5, SECONDS).until(() -> ranNanos.get() != 0);
        }
    }

    @Test
    void loopWithBudgetRestsHalfItsTime() throws Exception {
        long workNanos = TimeUnit.MILLISECONDS.toNanos(2);
        Counting task = new Counting() {
            @Override
            public int doWork() {
                long end = System.nanoTime() + workNanos;
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                return super.doWork();
            }
        };
        task.workPerTurn = 1;
        try (LoopPool loops = LoopPool.cooperative(1).latencyBudget(Duration.ofMillis(300))) {
            loops.nextLoop().add(task).get(5, SECONDS);
            await().pollInterval(Duration.ofMillis(1)).until(() -> task.turns.get() >= 20);
            long start = System.nanoTime();
            int before = task.turns.get();
            await().pollInterval(Duration.ofMillis(1)).until(() -> task.turns.get() >= before + 20);
            // twice the work from sweep to sweep, but for the first ones; a late sweep is not made up for
            assertThat(System.nanoTime() - start).isGreaterThan(20 * workNanos * 8 / 5);
        }
    }

    @Test
    void hurriedSweepsDoNotDelayTheNextOnes() throws Exception {
        Counting last = new Counting();
        try (LoopPool loops = LoopPool.cooperative(1).latencyBudget(Duration.ofSeconds(3))) {
            Loop loop = loops.nextLoop();
            for (int i = 0; i < 100; i++) {
                loop.add(new Counting()).get(5, SECONDS);
            }
            loop.add(last).get(5, SECONDS);
            int before = last.turns.get();
            await().atMost(5, SECONDS).until(() -> last.turns.get() > before + 1); // two periods of a second each
        }
    }

    /** Guards against counting all tasks at each change: a loop with 30,000 of them was busy for half a minute when they closed. */
    @Test
    void manyChangesCountTheTasksOnce() {
        AtomicInteger asked = new AtomicInteger();
        class Asked extends Counting {
            @Override
            public int sweepsPerMessage() {
                asked.incrementAndGet();
                return 1;
            }
        }
        try (LoopPool loops = LoopPool.manual()) {
            Loop loop = loops.nextLoop();
            List<Asked> tasks =
                    IntStream.range(0, 100).mapToObj(i -> new Asked()).toList();
            tasks.forEach(loop::add);
            loops.turn();
            assertThat(tasks).allMatch(task -> task.turns.get() == 1);
            tasks.subList(0, 99).forEach(loop::remove);
            loops.turn();

            assertThat(tasks.subList(0, 99)).noneMatch(task -> task.isOpen);
            assertThat(tasks.get(99).turns.get()).isEqualTo(2);
            assertThat(asked.get()).isLessThanOrEqualTo(3 * 101);
        }
    }

    @Test
    void settingsAreSettledBeforeTheFirstLoop() {
        try (LoopPool loops = LoopPool.manual()) {
            loops.nextLoop();
            assertThatThrownBy(() -> loops.idle(Idle.spin())).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> loops.latencyBudget(Duration.ofMillis(1)))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void valuesOutOfRangeAreRefusedWithRange() {
        assertThatThrownBy(() -> LoopPool.cooperative(0)).hasMessageContaining("1 to 1024");
        assertThatThrownBy(() -> Idle.park(Duration.ZERO)).hasMessageContaining("longer than zero");
        assertThatThrownBy(() -> LoopPool.manual().latencyBudget(Duration.ofNanos(1)))
                .hasMessageContaining("100 us");
    }

    @Test
    void virtualThreadsAreRefusedWhereJvmHasNone() {
        assumeTrue(Runtime.version().feature() < 21);
        assertThatThrownBy(LoopPool::virtual)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("JDK 21")
                .hasMessageContaining("cooperative");
    }

    @Test
    void virtualThreadsRunTasksWhereJvmHasThem() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21);
        Counting task = new Counting();
        try (LoopPool loops = LoopPool.virtual()) {
            loops.nextLoop().add(task).get(5, SECONDS);
            await().until(() -> task.turns.get() > 3);
        }
        assertThat(task.isOpen).isFalse();
    }

    @Test
    void onlyManualLoopsAreTurnedByHand() {
        try (LoopPool loops = LoopPool.cooperative(1)) {
            assertThatThrownBy(loops::turn).hasMessageContaining("cooperative:1");
        }
    }

    @Test
    void defaultIdleSpinsBrieflyThenWaitsLonger() {
        Idle backoff = Idle.backoff();
        assertThat(backoff.pauseNanos(1)).isEqualTo(Idle.SPIN);
        assertThat(backoff.pauseNanos(65)).isEqualTo(50_000);
        assertThat(backoff.pauseNanos(66)).isEqualTo(100_000);
        assertThat(backoff.pauseNanos(70)).isEqualTo(1_000_000);
        assertThat(backoff.pauseNanos(Integer.MAX_VALUE)).isEqualTo(1_000_000);
    }

    @Test
    void loopsRunOnTheThreadsOfTheFactory() throws Exception {
        AtomicInteger made = new AtomicInteger();
        Counting task = new Counting();
        try (LoopPool loops =
                LoopPool.cooperative(1).threads(body -> new Thread(body, "pricing-" + made.incrementAndGet()))) {
            loops.nextLoop().add(task).get(5, SECONDS);
        }
        assertThat(task.thread.getName()).isEqualTo("pricing-1");
        assertThat(task.thread.isDaemon()).isFalse();
        assertThat(task.thread.isAlive()).isFalse();
    }

    @Test
    void factoryWithoutThreadIsNamedAndAskedAgain() {
        AtomicReference<ThreadFactory> factory = new AtomicReference<>();
        ThreadFactory named = new ThreadFactory() {
            @Override
            public Thread newThread(Runnable body) {
                return factory.get().newThread(body);
            }

            @Override
            public String toString() {
                return "pinning";
            }
        };
        IllegalStateException noCore = new IllegalStateException("no core is free");
        Thread started = new Thread(() -> {});
        started.start();
        try (LoopPool loops = LoopPool.cooperative(2).threads(named)) {
            factory.set(body -> null);
            assertThatThrownBy(loops::nextLoop)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no thread for baton-loop-1: the thread factory pinning returned null");
            factory.set(body -> {
                throw noCore;
            });
            assertThatThrownBy(loops::nextLoop)
                    .hasMessage("no thread for baton-loop-1: the thread factory pinning threw " + noCore)
                    .hasCause(noCore);
            factory.set(body -> started);
            assertThatThrownBy(loops::nextLoop).hasMessageContaining("pinning returned one that was started before");
            loops.idle(Idle.yielding()); // nothing has started
            factory.set(Thread::new);
            assertThat(loops.nextLoop()).isNotSameAs(loops.nextLoop());
        }
    }

    @Test
    void manualAndStartedLoopsTakeNoFactory() {
        assertThatThrownBy(() -> LoopPool.manual().threads(Thread::new)).hasMessageContaining("have no threads");
        try (LoopPool loops = LoopPool.cooperative(1)) {
            loops.nextLoop();
            assertThatThrownBy(() -> loops.threads(Thread::new)).hasMessageContaining("before the first chain");
        }
    }
}
