package dev.baton.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.run.Loops.LoopStatus;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How busy loops say they are. */
class SweepTimesTest {
    private static class Clock implements Task {
        final ParkingEnvironment time = new ParkingEnvironment();
        long costNanos;
        int work;

        @Override
        public void open(Connections connections) {}

        @Override
        public int doWork() {
            time.now += costNanos;
            return work;
        }

        @Override
        public void failed(Throwable cause) {}

        @Override
        public void close() {}
    }

    @Test
    void loopsThatAreNotMeasuredSayNothing() {
        try (LoopPool loops = LoopPool.manual()) {
            loops.nextLoop();

            assertThat(loops.status()).isEmpty();
        }
    }

    @Test
    void onlySweepsThatFindWorkCountAsBusy() {
        Clock task = new Clock();
        try (LoopPool loops = LoopPool.manual().in(task.time)) {
            loops.nextLoop().add(task);
            loops.measureSweeps();
            task.costNanos = 1_000;
            task.work = 1;
            loops.turn();
            task.work = 0;
            task.costNanos = 3_000;
            loops.turn();

            LoopStatus status = loops.status().get(0);

            assertThat(status.busyNanos()).isEqualTo(1_000);
            assertThat(status.measuredNanos()).isEqualTo(4_000);
            assertThat(status.longestSweepNanos()).isEqualTo(3_000);
            assertThat(status.name()).isEqualTo(Thread.currentThread().getName());
        }
    }

    @Test
    void theLongestSweepIsForgottenAfterAMinute() {
        Clock task = new Clock();
        try (LoopPool loops = LoopPool.manual().in(task.time).measureSweeps()) {
            loops.nextLoop().add(task);
            task.work = 1;
            task.costNanos = 5_000_000;
            loops.turn();
            task.costNanos = 1_000;
            long forgotten = 0;
            for (int second = 0; second < 70; second++) {
                task.time.now += 1_000_000_000L;
                loops.turn();
                if (forgotten == 0 && loops.status().get(0).longestSweepNanos() < 5_000_000) {
                    forgotten = second;
                }
            }

            assertThat(forgotten).as("seconds until it is forgotten").isBetween(30L, 62L);
            assertThat(loops.status().get(0).longestSweepNanos()).isEqualTo(1_000);
        }
    }

    /** Counts how often the clock is read. */
    private static final class CountingEnvironment extends ParkingEnvironment {
        int readings;

        @Override
        public long nanoTime() {
            readings++;
            return now;
        }
    }

    @Test
    void shortSweepsShareOneClockReading() {
        CountingEnvironment time = new CountingEnvironment();
        SweepTimes times = new SweepTimes(time);
        sweep(times, time, 3_200, 250);

        assertThat(time.readings).isBetween(100, 110);
        assertThat(times.status("l").longestSweepNanos()).isEqualTo(32 * 250);

        sweep(times, time, 70_000, 1_000_000); // 70 s
        assertThat(times.status("l").longestSweepNanos()).isEqualTo(1_000_000);
        assertThat(times.status("l").busyNanos()).isEqualTo(3_200 * 250L + 70_000 * 1_000_000L);
    }

    private static void sweep(SweepTimes times, ParkingEnvironment time, int sweeps, long nanos) {
        for (int i = 0; i < sweeps; i++) {
            times.begin();
            time.now += nanos;
            times.end(1, true);
        }
    }

    @Test
    void sweepInProgressShowsHowLongItLasts() throws InterruptedException {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (LoopPool loops = LoopPool.cooperative(1).measureSweeps()) {
            Loop loop = loops.nextLoop();
            loop.add(new Clock() {
                @Override
                public int doWork() {
                    isHeld.countDown();
                    awaitQuietly(release);
                    return 1;
                }
            });
            assertThat(isHeld.await(10, TimeUnit.SECONDS)).isTrue();
            long before = loops.status().get(0).longestSweepNanos();

            long deadline = System.nanoTime() + 10_000_000_000L;
            while (loops.status().get(0).longestSweepNanos() <= before && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }

            assertThat(loops.status().get(0).longestSweepNanos()).isGreaterThan(before);
            assertThat(loops.status().get(0).name()).startsWith("baton-loop-");
            release.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
