package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.load.LoadFindings;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.List;

/** What a small service carries in 128 MB and 256 MB. */
final class SmallMemory implements PublishedStudy {
    private static final String FILE = "small-memory.csv";
    private static final double[] PERCENTILES = {50, 75, 90, 95, 99};
    private static final int FIRST_PERCENTILE = 5;
    private static final long SECONDS = 85;

    @Override
    public String name() {
        return "small-memory";
    }

    @Override
    public String question() {
        return "how many requests does a service answer in 128 MB and in 256 MB?";
    }

    @Override
    public String source() {
        return "\"Cloud Benchmarking JVMs\" and the posts below it, 2018; a REST service on Vert.x with Redis behind it; hey"
                + " for 10 s; i5-5300U laptop, four hardware threads, three of them for the service";
    }

    @Override
    public List<String> settings() {
        return List.of(
                "a service behind HTTP, 50 connections that are kept open, each sends its next request when its answer is"
                        + " there: a closed loop, whose latencies are no response times at a rate",
                "60 s of warm-up, 10 s measured",
                "128 MB, 256 MB, and no limit");
    }

    @Override
    public List<String> deviations() {
        return List.of(
                "the service answers from a chain of one service in the same process; there is no Redis and no Vert.x: a"
                        + " request costs less here, and its answer is smaller",
                "requests are POST with a number of 16 digits; there GET of one user",
                "the clients are in the process that is limited, and take part of its memory; there hey was outside",
                "the limit is a control group where one may be made, otherwise flags that add up to it; heap and others are"
                        + " divided by Baton, not by the JVM's own choice for a container",
                "HotSpot alone: OpenJ9 and Zing are not among the JVMs here; no epoll, fast open or quick ack");
    }

    @Override
    public List<Step> steps() {
        return List.of(step("128 MB", " --memory 128m"), step("256 MB", " --memory 256m"), step("no limit", ""));
    }

    private static Step step(String label, String memory) {
        return Step.of(
                label,
                "load --transport disruptor --http --services 1 --concurrency 50" + memory,
                "--quick --warmup 2s --duration 3s",
                "--warmup 60s --duration 10s",
                12,
                SECONDS);
    }

    private static Cell ofDistribution(TrialResult trial, double percentile) {
        return trial.findings() instanceof LoadFindings load
                ? load.distribution().stream()
                        .filter(each -> each.percentile() == percentile && each.nanos() != null)
                        .findFirst()
                        .map(each -> Cell.of(Units.time(each.nanos()), each.hasFewSamples() ? Tone.GREY : Tone.PLAIN))
                        .orElse(ResultTable.NONE)
                : ResultTable.NONE;
    }

    @Override
    public List<String> figures(List<Reproduced> reproduced, Paint paint, int width) {
        Rows rows = new Rows()
                .column(
                        "requests/s",
                        trial -> Cell.of(Units.count(Math.round(trial.rate().achievedPerSecond()))));
        for (double percentile : PERCENTILES) {
            rows.column(ResultTable.name(percentile), trial -> ofDistribution(trial, percentile));
        }
        rows.column("slowest", trial -> ResultTable.max(trial.service()));
        for (Reproduced step : reproduced) {
            step.trials().forEach(trial -> rows.add(step.step().label() + ", " + WhichJvm.jvm(trial), trial));
        }
        for (String[] row : PublishedFile.rows(FILE)) {
            String[] cells = new String[PERCENTILES.length + 2];
            cells[0] = Units.count(Math.round(Double.parseDouble(row[2])));
            for (int i = 1; i < cells.length; i++) {
                cells[i] = row[FIRST_PERCENTILE + i - 1] + " ms";
            }
            rows.addPublished(row[0] + ", " + (row[1].equals("unlimited") ? row[1] : row[1] + " MB"), cells);
        }
        return rows.lines(source(), paint, width);
    }
}
