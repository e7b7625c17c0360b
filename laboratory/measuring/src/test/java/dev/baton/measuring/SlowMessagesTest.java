package dev.baton.measuring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SlowMessagesTest {
    private static final long HIGHEST = 60_000_000_000L;

    @Test
    void messagesAbovePercentileAreKeptWithTimes() {
        RecorderPool pool = new RecorderPool(HIGHEST);
        LatencyRecorder recorder = pool.forThisThread();
        int count = 1_000_000;
        for (long i = 0; i < count; i++) {
            long response = 1_000 + i * 7_919 % count; // each value once
            recorder.recordMessage(i * 200, 5, response, i - 1); // five million a second
        }
        LatencyHistograms total = LatencyHistograms.upTo(HIGHEST);
        pool.takeInterval(total);
        long threshold = total.response().getValueAtPercentile(99.9);
        List<SlowMessage> slow = pool.slowerThan(threshold);

        assertThat(slow).hasSize((int) (1_000 + count - 1 - threshold));
        assertThat(slow).allSatisfy(message -> {
            assertThat(message.responseNanos()).isEqualTo(1_000 + message.slotNanos() / 200 * 7_919 % count);
            assertThat(message.sentNanos()).isEqualTo(message.slotNanos() + 5);
            assertThat(message.previousNanos()).isEqualTo(message.slotNanos() / 200 - 1);
        });
    }

    @Test
    void slowestMessagesStayWhenFull() {
        RecorderPool pool = new RecorderPool(HIGHEST);
        LatencyRecorder recorder = pool.forThisThread();
        for (long i = 0; i < 3L * RecorderPool.MOST_SLOW; i++) {
            recorder.recordMessage(i, 0, i, i);
        }

        assertThat(pool.slowerThan(0)).hasSize(RecorderPool.MOST_SLOW);
        assertThat(pool.slowerThan(0)).allMatch(message -> message.responseNanos() >= 2L * RecorderPool.MOST_SLOW);
    }

    /** A backlog that grows by a million messages a second for two seconds, each slower than all before. */
    @Test
    void longBacklogIsSampledEvenly() {
        RecorderPool pool = new RecorderPool(HIGHEST);
        LatencyRecorder recorder = pool.forThisThread();
        int count = 2_000_000;
        for (long i = 0; i < count; i++) {
            recorder.recordMessage(i * 1_000, 0, i + 1, 0);
        }
        List<SlowMessage> slow = pool.slowerThan(count - 20_000);

        assertThat(slow).hasSizeBetween(2_400, 2_600);
        assertThat(slow.stream().mapToLong(SlowMessage::responseNanos).max().orElseThrow())
                .isGreaterThan(count - 20);
    }

    @Test
    void warmUpMessagesAreNotKept() {
        RecorderPool pool = new RecorderPool(HIGHEST);
        LatencyRecorder[] recorders = pool.forThisThreadByPhase();
        recorders[RecorderPool.WARM_UP].recordMessage(1, 0, 1_000_000, 1);
        recorders[RecorderPool.MEASURED].recordMessage(2, 0, 10, 2);

        assertThat(pool.slowerThan(0)).containsExactly(new SlowMessage(2, 2, 12, 2));
    }

    @Test
    void sharedRecorderKeepsConsistentMessages() throws InterruptedException {
        RecorderPool pool = new RecorderPool(10_000_000);
        Thread[] writers = new Thread[RecorderPool.MOST_EXCLUSIVE + 4];
        CountDownLatch all = new CountDownLatch(writers.length);
        for (int i = 0; i < writers.length; i++) {
            writers[i] = new Thread(() -> {
                LatencyRecorder recorder = pool.forThisThread();
                all.countDown();
                await(all);
                for (long k = 0; k < 20_000; k++) {
                    recorder.recordMessage(k, k & 3, 1_000 + k, k + 7);
                }
            });
            writers[i].start();
        }
        for (Thread writer : writers) {
            writer.join();
        }

        assertThat(pool.slowerThan(0))
                .hasSizeGreaterThan(RecorderPool.MOST_EXCLUSIVE * RecorderPool.MOST_SLOW)
                .allMatch(message -> message.responseNanos() == 1_000 + message.slotNanos()
                        && message.sentNanos() == message.slotNanos() + (message.slotNanos() & 3)
                        && message.previousNanos() == message.slotNanos() + 7);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
