package dev.baton.lab.study.load;

import dev.baton.lab.results.Findings;
import dev.baton.measuring.data.Percentile;
import java.util.List;

/**
 * The additional findings of a closed loop. Its latencies are service times: in a closed loop no client sends while none gets an answer.
 * Null: unknown. Immutable, thread-safe.
 *
 * @param distribution service times at 10, 25, 50, 75, 90, 95 and 99 %
 * @param bars service times as counts, from the fastest to the slowest
 * @param peakResidentBytes greatest resident memory of the process at any time: VmHWM
 * @param majorFaults of the process since it started
 * @param measuredMajorFaults those within the measurement
 * @param gcCpuShare CPU of the collector's threads over that of the process, within the measurement
 * @param firstAnswerNanos from the JVM's start, which it reports to the millisecond, to the first answer
 * @param steadyNanos from the JVM's start to the end of the first interval from which on the rate stays near its final median; null: not
 * reached
 * @param steadyRule rule of that decision
 * @param series answers in each interval since the JVM's start, warm-up included, until the measurement's end
 * @param clients description of the clients: one line
 */
public record LoadFindings(
        List<Percentile> distribution,
        List<Bar> bars,
        Long peakResidentBytes,
        Long majorFaults,
        Long measuredMajorFaults,
        Double gcCpuShare,
        Long firstAnswerNanos,
        Long steadyNanos,
        String steadyRule,
        List<Interval> series,
        String clients)
        implements Findings {

    public LoadFindings {
        distribution = distribution == null ? List.of() : List.copyOf(distribution);
        bars = bars == null ? List.of() : List.copyOf(bars);
        series = series == null ? List.of() : List.copyOf(series);
    }

    /** The number of requests with service times in a range. @param toNanos the longest of them */
    public record Bar(long fromNanos, long toNanos, long count) {}

    /** Answers between the entry before and this one. @param endNanos since the JVM's start */
    public record Interval(long endNanos, long answers) {}
}
