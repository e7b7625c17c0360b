package dev.baton.lab.export;

import dev.baton.lab.results.Json;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.line.CommandException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.commons.math3.distribution.TDistribution;

/** The formats of exported results. Stateless, thread-safe. */
enum ExportFormat {
    /**
     * The JSON of JMH ({@code -rf json}), which JMH Visualizer and Apache Otava read. Each trial is a fork with one iteration.
     * The score is the mean of the trials' medians, its error is half the width of the 99.9 % confidence interval of that
     * mean, as in JMH; single trials have none. Percentiles are means over the trials.
     */
    JMH {
        @Override
        String text(List<ExportedSeries> all) {
            return Json.pretty(all.stream().map(ExportFormat::jmh).toList());
        }
    },

    /** The Bencher Metric Format: a value, with the range of the trials, for each benchmark and measure. */
    BMF {
        @Override
        String text(List<ExportedSeries> all) {
            Map<String, Object> benchmarks = new LinkedHashMap<>();
            all.forEach(series -> benchmarks.put(series.labelAmong(all), bmf(series)));
            return Json.pretty(benchmarks);
        }
    },

    /** A row for each trial and figure, with a heading. */
    CSV {
        @Override
        String text(List<ExportedSeries> all) {
            List<String> lines = new ArrayList<>();
            lines.add("benchmark,trial,verdict,started_at,metric,statistic,value,unit,samples_above");
            for (ExportedSeries series : all) {
                for (TrialResult trial : series.trials()) {
                    csv(series.labelAmong(all), trial, lines);
                }
            }
            return String.join("\n", lines) + "\n";
        }
    };

    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final double NANOS_PER_MICRO = 1e3;

    /** The confidence level of JMH's score errors. */
    private static final double CONFIDENCE = 0.999;

    /** Returns the format with this name. */
    static ExportFormat of(String name) {
        return Arrays.stream(values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> CommandException.usage("--format " + name + ": jmh, csv or bmf is allowed"));
    }

    /** Returns the series as text, which ends with a line break. */
    abstract String text(List<ExportedSeries> all);

    private static Map<String, Object> jmh(ExportedSeries series) {
        TrialResult first = series.trials().get(0);
        Map<String, Object> benchmark = new LinkedHashMap<>();
        benchmark.put("jmhVersion", "baton");
        benchmark.put("benchmark", series.name());
        benchmark.put("mode", "sample");
        benchmark.put("threads", 1);
        benchmark.put("forks", series.trials().size());
        if (first.environment() != null) {
            benchmark.put("jdkVersion", first.environment().jvm().version());
            benchmark.put("vmName", first.environment().jvm().vendor());
            benchmark.put("vmVersion", first.environment().jvm().version());
        }
        benchmark.put("warmupIterations", 1);
        benchmark.put("warmupTime", seconds(first.plan().phases().warmupNanos()));
        benchmark.put("warmupBatchSize", 1);
        benchmark.put("measurementIterations", 1);
        benchmark.put("measurementTime", seconds(first.plan().phases().measureNanos()));
        benchmark.put("measurementBatchSize", 1);
        benchmark.put("params", series.parameters());
        Map<String, Object> metrics = new LinkedHashMap<>();
        ExportedSeries.LATENCIES.forEach((name, latency) -> {
            Map<String, Object> metric = metric(series, latency);
            if (metric != null) {
                metrics.put(name, metric);
            }
        });
        benchmark.put("primaryMetric", metrics.remove("response"));
        benchmark.put("secondaryMetrics", metrics);
        return benchmark;
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
    }

    private static Map<String, Object> metric(ExportedSeries series, Function<TrialResult, Latency> latency) {
        double[] medians = micros(series, latency, 50);
        if (medians.length == 0) {
            return null;
        }
        double mean = Arrays.stream(medians).average().orElseThrow();
        Map<String, Object> metric = new LinkedHashMap<>();
        metric.put("score", mean);
        metric.put("scoreError", medians.length < 2 ? "NaN" : Double.valueOf(halfWidth(medians, mean)));
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (double percentile : PERCENTILES) {
            double[] values = micros(series, latency, percentile);
            if (values.length > 0) {
                percentiles.put(
                        String.valueOf(percentile),
                        Arrays.stream(values).average().orElseThrow());
            }
        }
        metric.put("scorePercentiles", percentiles);
        metric.put("scoreUnit", "us/op");
        metric.put(
                "rawData",
                Arrays.stream(medians).mapToObj(value -> List.of(value)).toList());
        return metric;
    }

    private static double[] micros(ExportedSeries series, Function<TrialResult, Latency> latency, double percentile) {
        return series.trials().stream()
                .map(latency)
                .filter(Objects::nonNull)
                .map(each -> each.nanosAt(percentile))
                .filter(Objects::nonNull)
                .mapToDouble(nanos -> nanos / NANOS_PER_MICRO)
                .toArray();
    }

    /** Returns half the width of the confidence interval of a mean. */
    private static double halfWidth(double[] values, double mean) {
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        double quantile = new TDistribution(values.length - 1).inverseCumulativeProbability(1 - (1 - CONFIDENCE) / 2);
        return quantile * Math.sqrt(squares / (values.length - 1) / values.length);
    }

    private static Map<String, Object> bmf(ExportedSeries series) {
        Map<String, Object> measures = new LinkedHashMap<>();
        ExportedSeries.LATENCIES.forEach((name, latency) -> {
            for (double percentile : PERCENTILES) {
                put(measures, name + "-p" + text(percentile) + "-us", micros(series, latency, percentile));
            }
        });
        put(
                measures,
                "cpu-per-hop-ns",
                series.trials().stream()
                        .map(TrialResult::cpuNanosPerHop)
                        .filter(Objects::nonNull)
                        .mapToDouble(nanos -> nanos)
                        .toArray());
        put(
                measures,
                "throughput-per-s",
                series.trials().stream()
                        .filter(trial -> trial.rate() != null)
                        .mapToDouble(trial -> trial.rate().achievedPerSecond())
                        .toArray());
        return measures;
    }

    private static void put(Map<String, Object> measures, String name, double[] values) {
        if (values.length > 0) {
            Map<String, Object> measure = new LinkedHashMap<>();
            measure.put("value", Arrays.stream(values).average().orElseThrow());
            measure.put("lower_value", Arrays.stream(values).min().orElseThrow());
            measure.put("upper_value", Arrays.stream(values).max().orElseThrow());
            measures.put(name, measure);
        }
    }

    private static void csv(String benchmark, TrialResult trial, List<String> lines) {
        ExportedSeries.LATENCIES.forEach((name, latency) -> {
            Latency all = latency.apply(trial);
            if (all == null) {
                return;
            }
            for (Percentile each : all.percentiles()) {
                if (each.nanos() != null) {
                    lines.add(row(
                            benchmark,
                            trial,
                            name,
                            "p" + text(each.percentile()),
                            each.nanos(),
                            "ns",
                            each.samplesAbove()));
                }
            }
            if (all.maxNanos() != null) {
                lines.add(row(benchmark, trial, name, "max", all.maxNanos(), "ns", 0));
            }
        });
        if (trial.cpuNanosPerHop() != null) {
            lines.add(row(benchmark, trial, "cpuPerHop", "mean", trial.cpuNanosPerHop(), "ns", ""));
        }
        if (trial.rate() != null) {
            lines.add(row(benchmark, trial, "throughput", "mean", trial.rate().achievedPerSecond(), "1/s", ""));
        }
    }

    private static String row(
            String benchmark,
            TrialResult trial,
            String metric,
            String statistic,
            Object value,
            String unit,
            Object above) {
        return List.of(
                        benchmark,
                        trial.plan().id(),
                        trial.outcome().verdict().name().toLowerCase(Locale.ROOT),
                        trial.span() == null ? "" : trial.span().startedAt(),
                        metric,
                        statistic,
                        value,
                        unit,
                        above)
                .stream()
                .map(String::valueOf)
                .map(ExportFormat::quoted)
                .collect(Collectors.joining(","));
    }

    private static String quoted(String cell) {
        return cell.matches("[^\",\r\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private static String text(double percentile) {
        return percentile == Math.rint(percentile) ? String.valueOf((long) percentile) : String.valueOf(percentile);
    }
}
