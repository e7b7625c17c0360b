package dev.baton.lab.page;

import dev.baton.lab.results.ResourceUsage;
import dev.baton.lab.results.Second;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The course of a trial by seconds, or by a few seconds each. Percentiles of several seconds come from their merged histograms; without a
 * log they are those of the worst second. Null: unknown. Immutable, thread-safe.
 *
 * @param secondsEach of a point
 * @param isWorstSecond whether latencies are those of the worst second of each point
 * @param end of each, in seconds from the first measured slot
 * @param steal shares of all CPU time, from 0 to 1, of the whole point
 * @param jvm CPU time of the JVM over wall time
 * @param broker CPU time of the watched processes over wall time
 * @param held resources of the process, by name; empty where they were not counted
 */
record TimeLine(
        int secondsEach,
        boolean isWorstSecond,
        List<Double> end,
        List<Long> p50,
        List<Long> p99,
        List<Long> max,
        List<Double> steal,
        List<Double> jvm,
        List<Double> broker,
        Map<String, List<Long>> held) {
    private static final double NANOS = 1e9;
    private static final double THOUSAND = 1e3;

    /**
     * Creates a time line.
     *
     * @param each seconds of a point
     * @param merged the points' latencies from the log; null without one
     */
    static TimeLine of(List<Second> seconds, int each, HeatMap merged) {
        List<List<Second>> parts = new ArrayList<>();
        for (int i = 0; i < seconds.size(); i += each) {
            parts.add(seconds.subList(i, Math.min(seconds.size(), i + each)));
        }
        boolean isMerged = each > 1 && merged != null && merged.p50().size() == parts.size();
        return new TimeLine(
                each,
                each > 1 && !isMerged,
                parts.stream()
                        .map(part -> rounded(part.get(part.size() - 1).endNanos() / NANOS))
                        .toList(),
                isMerged ? merged.p50() : worst(parts, Second::p50Nanos),
                isMerged ? merged.p99() : worst(parts, Second::p99Nanos),
                worst(parts, Second::maxNanos),
                mean(parts, Second::stealShare),
                mean(parts, Second::jvmCpuCores),
                mean(parts, Second::brokerCpuCores),
                held(parts));
    }

    /** The last count of each few seconds. */
    private static Map<String, List<Long>> held(List<List<Second>> parts) {
        Map<String, Function<ResourceUsage, Long>> figures = new LinkedHashMap<>();
        figures.put("anonymous", ResourceUsage::anonymousBytes);
        figures.put("files", ResourceUsage::fileBytes);
        figures.put("heap", ResourceUsage::heapBytes);
        figures.put("direct", ResourceUsage::directBytes);
        figures.put("disk", ResourceUsage::diskBytes);
        figures.put("descriptors", ResourceUsage::descriptors);
        figures.put("threads", ResourceUsage::threads);
        figures.put("maps", ResourceUsage::maps);
        Map<String, List<Long>> held = new LinkedHashMap<>();
        figures.forEach((name, figure) -> {
            List<Long> all = each(
                    parts,
                    Second::holding,
                    counts -> counts.reduce((one, other) -> other).map(figure).orElse(null));
            if (all.stream().anyMatch(Objects::nonNull)) {
                held.put(name, all);
            }
        });
        return held;
    }

    private static List<Long> worst(List<List<Second>> parts, Function<Second, Long> figure) {
        return each(parts, figure, known -> known.reduce(Math::max).orElse(null));
    }

    /** Shares of equally long times: their mean is that of the whole. */
    private static List<Double> mean(List<List<Second>> parts, Function<Second, Double> figure) {
        return each(parts, figure, known -> {
            OptionalDouble mean = known.mapToDouble(Double::doubleValue).average();
            return mean.isEmpty() ? null : rounded(mean.getAsDouble());
        });
    }

    /** Combines the seconds of each point that have a figure. */
    private static <T, R> List<R> each(
            List<List<Second>> parts, Function<Second, T> figure, Function<Stream<T>, R> whole) {
        return parts.stream()
                .map(part -> whole.apply(part.stream().map(figure).filter(Objects::nonNull)))
                .toList();
    }

    /** Rounds to a thousandth, the resolution of the picture. */
    private static double rounded(double value) {
        return Math.round(value * THOUSAND) / THOUSAND;
    }
}
