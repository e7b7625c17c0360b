package dev.baton.measuring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RecordersTest {
    private static final long HIGHEST = 60_000_000_000L;

    @Test
    void noValueIsLostBetweenIntervals() throws InterruptedException {
        RecorderPool pool = new RecorderPool(HIGHEST);
        int count = 500_000;
        Runnable work = () -> {
            LatencyRecorder recorder = pool.forThisThread();
            for (int i = 0; i < count; i++) {
                recorder.recordArrival(i, i / 2);
            }
        };
        Thread[] writers = {new Thread(work), new Thread(work)};
        for (Thread writer : writers) {
            writer.start();
        }
        LatencyHistograms total = LatencyHistograms.upTo(HIGHEST);
        while (writers[0].isAlive() || writers[1].isAlive()) {
            pool.takeInterval(total);
        }
        writers[0].join();
        writers[1].join();
        pool.takeInterval(total);

        assertThat(total.response().getTotalCount()).isEqualTo(2L * count);
        assertThat(total.service().getTotalCount()).isEqualTo(2L * count);
        assertThat((double) total.response().getValueAtPercentile(50)).isCloseTo(count / 2.0, within(count * 0.001));
    }

    @Test
    void moreThreadsThanRecordersShareOne() throws InterruptedException {
        RecorderPool pool = new RecorderPool(10_000_000);
        Thread[] writers = new Thread[RecorderPool.MOST_EXCLUSIVE + 8];
        for (int i = 0; i < writers.length; i++) {
            writers[i] = new Thread(() -> {
                for (int k = 0; k < 1_000; k++) {
                    pool.forThisThread().recordArrival(k, k);
                }
            });
            writers[i].start();
        }
        for (Thread writer : writers) {
            writer.join();
        }
        LatencyHistograms total = LatencyHistograms.upTo(10_000_000);
        pool.takeInterval(total);

        assertThat(total.response().getTotalCount()).isEqualTo(1_000L * writers.length);
    }

    @Test
    void valueBeyondHighestIsClampedAndCounted() {
        LatencyHistograms histograms = LatencyHistograms.upTo(1_000_000);
        histograms.recordArrival(2_000_000, 500);
        histograms.recordSendDelay(3_000_000);
        histograms.recordSendDelay(-1);

        assertThat(histograms.clampedResponses()).isEqualTo(1);
        assertThat(histograms.clampedServices()).isZero();
        assertThat(histograms.clampedSendDelays()).isEqualTo(1);
        assertThat(histograms.response().getTotalCount()).isEqualTo(1);
        assertThat(histograms.response().getMaxValue()).isGreaterThanOrEqualTo(1_000_000);
        assertThat(histograms.sendDelay().getMinValue()).isZero();
    }

    @Test
    void recordingAllocatesNothing() {
        RecorderPool pool = new RecorderPool(HIGHEST);
        LatencyRecorder recorder = pool.forThisThread();
        InstanceHistogram instance = new InstanceHistogram(HIGHEST);
        DeliveryAccount account = new DeliveryAccount();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (long i = 0; i < 20_000; i++) {
                recorder.recordArrival(i, i);
                recorder.recordSendDelay(i);
                instance.record(i);
                account.arrived(account.next());
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertThat(least).isZero();
    }

    @Test
    void threeThousandInstancesFitIntoFiftyMegabytes() {
        assertThat(3_000L * new InstanceHistogram(3_600_000_000_000L).footprintBytes())
                .isLessThan(50L << 20);
    }

    @Test
    void anInstanceCountsMoreThanAnIntegerHolds() {
        InstanceHistogram histogram = new InstanceHistogram(HIGHEST);
        for (int round = 0; round < 2; round++) {
            histogram.put(1_000_000, Integer.MAX_VALUE - 1);
            histogram.record(1_000_000);
            histogram.record(1_000_000);
        }
        histogram.record(2_000_000);

        assertThat(histogram.count()).isEqualTo((1L << 32) + 1);
        assertThat(histogram.percentileNanos(99.9)).isBetween(1_000_000L, 1_010_000L);
        assertThat(histogram.maxNanos()).isBetween(2_000_000L, 2_020_000L);
    }

    @Test
    void instanceHistogramMatchesHdrHistogram() {
        Random random = new Random(1);
        for (int round = 0; round < 200; round++) {
            InstanceHistogram histogram = new InstanceHistogram(HIGHEST);
            Histogram reference = new Histogram(HIGHEST / 1_000, 2);
            int values = 1 + random.nextInt(3_000);
            int bits = 1 + random.nextInt(36);
            for (int i = 0; i < values; i++) {
                long nanos = Math.min(HIGHEST, random.nextLong() >>> Long.SIZE - bits);
                histogram.record(nanos);
                histogram.record(RecorderPool.WARM_UP, nanos + 1_000_000_000);
                reference.recordValue((nanos + 999) / 1_000);
            }

            assertThat(histogram.count()).isEqualTo(reference.getTotalCount());
            assertThat(histogram.maxNanos()).isEqualTo(1_000 * reference.getMaxValue());
            for (double percentile : new double[] {0.1, 25, 50, 90, 99, 99.9, 99.99, 100}) {
                assertThat(histogram.percentileNanos(percentile))
                        .as("p%s of %d values of %d bits", percentile, values, bits)
                        .isEqualTo(1_000 * reference.getValueAtPercentile(percentile));
            }
        }
    }

    @Test
    void anInstanceWithoutResponsesHasNone() {
        InstanceHistogram histogram = new InstanceHistogram(HIGHEST);
        histogram.record(RecorderPool.WARM_UP, 1_000);

        assertThat(histogram.count()).isZero();
        assertThat(histogram.maxNanos()).isZero();
        assertThat(histogram.percentileNanos(99.9)).isZero();
    }

    @Test
    void anInstanceIsNeverJudgedTooWell() {
        InstanceHistogram histogram = new InstanceHistogram(HIGHEST);
        histogram.record(99_999_999);
        histogram.record(1);

        assertThat(histogram.percentileNanos(50)).isEqualTo(1_000);
        assertThat(histogram.maxNanos()).isBetween(99_999_999L, 101_000_000L);
        assertThat(histogram.percentileNanos(100)).isGreaterThanOrEqualTo(99_999_999);
    }

    @Test
    void aSendDelayTravelsInThirtyTwoBits() {
        assertThat(SendDelay.decode(SendDelay.encode(-5))).isZero();
        assertThat(SendDelay.decode(SendDelay.encode(123_456_789))).isEqualTo(123_456_789);
        assertThat(SendDelay.decode(SendDelay.encode(Integer.MAX_VALUE))).isEqualTo(Integer.MAX_VALUE);
        assertThat(SendDelay.decode(SendDelay.encode(60_000_000_000L))).isBetween(59_999_998_976L, 60_000_000_000L);
        assertThat(SendDelay.decode(SendDelay.encode(Long.MAX_VALUE))).isGreaterThan(2_000_000_000_000L);
    }
}
