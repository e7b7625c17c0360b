package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.machine.CpuLists;
import dev.baton.measuring.machine.SystemLimits;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Units;
import java.util.List;

/** What guaranteed safepoints add to the tail of a hand-over through a Disruptor. */
final class RuntimeJitter implements PublishedStudy {
    private static final String FILE = "jitter-jvm.csv";
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 99.999, 99.9999};
    private static final long ROOMY_BYTES = 10L << 30;
    private static final int FIRST_FIGURE = 2;

    @Override
    public String name() {
        return "jitter";
    }

    @Override
    public String question() {
        return "what do the JVM and its guaranteed safepoints add to the tail of two threads?";
    }

    @Override
    public String source() {
        return "\"Runtime Jitter - Zing vs Hotspot\", 2015-09-07; tuned Linux, isolated cores, JDK 1.8.0_60 and Zing 15.05;"
                + " from the actual send; 3,595,101 samples";
    }

    @Override
    public List<String> settings() {
        return List.of(
                "a producer publishes System.nanoTime through a Disruptor, a consumer records the difference to its own",
                "once with the JVM's own interval of guaranteed safepoints, once with one of 600 s",
                "as many samples as published: 3.6 million, 10,000/s for 360 s",
                (isRoomy() ? "heap 4 GB from the start" : "heap from the start")
                        + ", -XX:+DisableExplicitGC; each thread bound to a core where there are two",
                "mean, min, 50 to 99.9999 %, max, count");
    }

    private static boolean isRoomy() {
        return SystemLimits.totalMemoryBytes() >= ROOMY_BYTES;
    }

    @Override
    public List<String> deviations() {
        return List.of(
                "the published rate is not known: at 10,000/s a message has the ring to itself",
                "a JVM of 17 or later has no biased locking to switch off and fewer reasons for safepoints; its own interval,"
                        + " which the step prints, differs by version",
                "Zing is not among the JVMs here; cores are not isolated unless the machine isolates them",
                (isRoomy() ? "" : "the heap is 1 GB, as the machine has less than 10 GB; ")
                        + "what suppressed safepoints cost over days is not asked here");
    }

    @Override
    public List<Step> steps() {
        boolean hasTwo = CpuLists.allowed().cardinality() > 1;
        return List.of(Step.of(
                "safepoints",
                "jitter --rate 10000 --safepoints default,10m --jvm-flags=-XX:+DisableExplicitGC"
                        + (hasTwo ? " --pin" : ""),
                "--quick --warmup 1s --duration 5s --heap 256m",
                "--warmup 10s --duration 360s --heap " + (isRoomy() ? "4g" : "1g"),
                20,
                2 * 380));
    }

    @Override
    public List<String> figures(List<Reproduced> reproduced, Paint paint, int width) {
        Rows rows = new Rows()
                .column("mean", trial -> mean(trial.service()))
                .column("min", trial -> time(trial.service().minNanos()));
        for (double percentile : PERCENTILES) {
            rows.percentile(ResultTable.name(percentile), TrialResult::service, percentile);
        }
        rows.column("max", trial -> time(trial.service().maxNanos()))
                .column("count", trial -> Cell.of(Units.count(trial.service().count())));
        for (Reproduced step : reproduced) {
            step.trials().forEach(trial -> rows.add(trial.plan().id(), trial));
        }
        for (String[] row : PublishedFile.rows(FILE)) {
            String[] cells = new String[PERCENTILES.length + 4];
            for (int i = 0; i < cells.length; i++) {
                long value = Long.parseLong(row[FIRST_FIGURE + i]);
                cells[i] = i == cells.length - 1 ? Units.count(value) : Units.time(value);
            }
            rows.addPublished(row[0] + ", " + row[1], cells);
        }
        return rows.lines(source(), paint, width);
    }

    private static Cell mean(Latency latency) {
        return latency.meanNanos() == null ? ResultTable.NONE : Cell.of(Units.time(Math.round(latency.meanNanos())));
    }

    private static Cell time(Long nanos) {
        return nanos == null ? ResultTable.NONE : Cell.of(Units.time(nanos));
    }
}
