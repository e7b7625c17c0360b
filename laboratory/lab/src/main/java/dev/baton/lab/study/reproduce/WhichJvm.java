package dev.baton.lab.study.reproduce;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Environment;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import dev.baton.measuring.machine.CpuLists;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** In which JVM two spinning threads hand messages over fastest. */
final class WhichJvm implements PublishedStudy {
    private static final String FILE = "transit-jvm.csv";
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)+");
    private static final long SECONDS = 115;
    private static final long QUICK_SECONDS = 12;

    @Override
    public String name() {
        return "which-jvm";
    }

    @Override
    public String question() {
        return "in which JVM does Chronicle Queue hand a message over fastest?";
    }

    @Override
    public String source() {
        return "\"Which JVM Version is Fastest?\", P. Minborg, 2022-05-09; Ryzen 9 5950X, isolated cores; from the actual"
                + " send; run to run about 5 %. Its text names about 250 and 600 ns, its table 270 to 370 ns: the table is"
                + " quoted";
    }

    @Override
    public List<String> settings() {
        return List.of(
                "one thread that sends and one that receives, both spin, each bound to a core where there are two",
                "messages of 256 bytes at 100,000/s for 100 s after the warm-up, in a queue in memory (/dev/shm); block size"
                        + " and roll cycle are set",
                "latency from the actual send, taken before the document is opened; median and p99.99",
                "every JVM that 'baton doctor' lists");
    }

    @Override
    public List<String> deviations() {
        return List.of(
                "the JVMs are those installed here; Baton needs 17, so 8 and 11 are not among them",
                "a late message does not delay the next: the published producer waited for the rest of the interval after"
                        + " each one and never caught up, so it sent fewer after a stall, and none at its time",
                "the two threads share one queue object; there each opened the queue itself",
                "40 of the 256 bytes are the header of Baton's frame, written by the reference loops as well",
                "cores are not isolated unless the machine isolates them");
    }

    @Override
    public List<Step> steps() {
        String common = "transit --transport chronicle --size 256 --rate 100k --jvm found --trials 1" + pins();
        return List.of(
                step("reference loops", common + " --engine reference --latency-from send"),
                step("Baton", common + " --engine baton"));
    }

    private static Step step(String label, String arguments) {
        return Step.of(
                        label,
                        arguments,
                        "--quick --warmup 2s --duration 5s --floor 0s",
                        "--warmup 10s --duration 100s --floor 0s",
                        2 * QUICK_SECONDS,
                        2 * SECONDS) // a matrix measures its first row twice
                .perJvm();
    }

    private static String pins() {
        BitSet allowed = CpuLists.allowed();
        int first = allowed.nextSetBit(0);
        int second = first < 0 ? -1 : allowed.nextSetBit(first + 1);
        return second < 0 ? "" : " --pin " + first + "," + second;
    }

    @Override
    public List<String> figures(List<Reproduced> reproduced, Paint paint, int width) {
        Rows rows = new Rows()
                .column("p50", trial -> nanos(trial.service(), 50))
                .column("p99.99", trial -> nanos(trial.service(), 99.99))
                .column("slot p50", trial -> nanos(trial.response(), 50))
                .column("slot p99.99", trial -> nanos(trial.response(), 99.99))
                .column("verdict", ResultTable::verdict);
        for (Reproduced step : reproduced) {
            step.trials().forEach(trial -> rows.add(step.step().label() + ", " + jvm(trial), trial));
        }
        PublishedFile.rows(FILE)
                .forEach(row -> rows.addPublished(row[0] + " " + row[1], row[2] + " ns", row[3] + " ns", "", "", ""));
        return rows.lines(source(), paint, width);
    }

    /** As short as it is told apart from others. */
    static String jvm(TrialResult trial) {
        Environment.Jvm jvm = trial.environment().jvm();
        Matcher number = NUMBER.matcher(jvm.version());
        return jvm.vendor().replaceAll("[ ,].*", "") + " " + (number.find() ? number.group() : jvm.version());
    }

    static Cell nanos(Latency latency, double percentile) {
        Percentile entry = latency.find(percentile).orElse(null);
        return entry == null || entry.nanos() == null
                ? ResultTable.NONE
                : Cell.of(Units.count(entry.nanos()) + " ns", entry.hasFewSamples() ? Tone.GREY : Tone.PLAIN);
    }
}
