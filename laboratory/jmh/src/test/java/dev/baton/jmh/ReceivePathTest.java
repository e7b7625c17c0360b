package dev.baton.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceivePathTest {
    private static final int ROUNDS = 5;
    private static final int MESSAGES = 20_000;

    @ParameterizedTest
    @CsvSource({"1, steady", "100, steady", "1, rising"})
    void receivingAllocatesNothing(int instances, String latencies) {
        ReceivePath path = path(instances, latencies);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < MESSAGES; i++) {
                path.andTheSendDelay();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertThat(least).isZero();
        assertThat(path.recordedCount()).isEqualTo(path.sentCount()).isEqualTo(ROUNDS * MESSAGES);
    }

    /** Ten times the allowed cost: a gross mistake, on any machine. JMH measures the figure itself. */
    @Test
    void receivingAMessageCostsNoFourHundredNanoseconds() {
        ReceivePath path = path(1, "steady");
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = System.nanoTime();
            for (int i = 0; i < MESSAGES; i++) {
                path.andTheSendDelay();
            }
            least = Math.min(least, System.nanoTime() - before);
        }

        assertThat(least / MESSAGES).isLessThan(400);
    }

    private static ReceivePath path(int instances, String latencies) {
        ReceivePath path = new ReceivePath();
        path.instances = instances;
        path.latencies = latencies;
        path.begin();
        return path;
    }
}
