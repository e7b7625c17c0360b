package dev.baton.lab.page;

import dev.baton.lab.FixedResults;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.Explanation;
import dev.baton.lab.results.Grade;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.IntervalLog;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.window.WindowStudy;
import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Histograms;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Tail;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.measuring.statistics.Percentiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** Experiments with made-up figures in real files, for tests of pages. */
public final class Folders {
    static final long SECOND = 1_000_000_000L;

    /** Names that a careless page would run, load, or be turned around by. */
    static final String HOSTILE =
            "<img src=x onerror=\"window.hacked=1\"></script><script>window.hacked=2</script><!-- '\" \u202emoc \u2028";

    private Folders() {}

    /** What an experiment's trials are like. */
    static final class Kind {
        int seconds = 30;
        int perSecond = 1_000; // 0: a trial without messages
        boolean hasWhole = true;
        boolean isExplained = true;
        boolean isProvisional;
        String hostile = "";
        List<Limit> limits = List.of();
        int instances = 1;
        long medianNanos = 70_000;
        Verdict verdict = Verdict.PASS;
    }

    /** Begins a folder; trials are added by {@link #trial}. */
    static Path begin(Path above, String name) throws IOException {
        return Files.createDirectories(above.resolve(name));
    }

    /** Adds what a search writes of its costs. */
    static void costs(Path folder) throws IOException {
        List<Headline.Cost> costs = List.of(
                new Headline.Cost("chronicle, baton", 16, 2, true, true, false, 5.0, "EUR"),
                new Headline.Cost("chronicle elsewhere", 500, 7, false, true, true, null, null));
        Json.write(
                folder.resolve(Headline.FILE),
                new Headline(Headline.SCHEMA, "How many chains?", List.of("At least 16."), costs));
    }

    /** Ends a folder: an experiment of all trials written into it. */
    static void end(Path folder, String... commandLine) throws IOException {
        List<Experiment.Entry> entries = new ArrayList<>();
        try (var files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                String text = file.getFileName().toString();
                if (text.endsWith(".trial.json")) {
                    entries.add(new Experiment.Entry(
                            text.replace(".trial.json", ""),
                            text,
                            ResultFolder.readTrial(file).outcome(),
                            null,
                            null));
                }
            }
        }
        new ResultFolder(folder)
                .write(new Experiment(
                        Experiment.SCHEMA,
                        Arrays.asList(commandLine),
                        "2026-11-21T12:00:00Z",
                        "2026-11-21T12:05:00Z",
                        7,
                        new Experiment.Revision("0123abc", false),
                        "1.0",
                        null,
                        new Grade("C", List.of(new Grade.Finding("C", "steal of 3 %", "a machine of your own"))),
                        "selftest-1",
                        entries));
    }

    /** Writes one trial with histogram, log and time line. */
    static TrialResult trial(Path folder, String id, String transport, Kind kind) throws IOException {
        Random random = new Random(id.hashCode());
        Histogram whole = new Histogram(60 * SECOND, 3);
        List<Second> timeline = new ArrayList<>();
        try (IntervalLog log = IntervalLog.create(folder.resolve(id + ".hlog"), id, 1_000)) {
            for (int second = 0; second < kind.seconds; second++) {
                Histogram each = new Histogram(60 * SECOND, 3);
                for (int i = 0; i < kind.perSecond; i++) {
                    each.recordValue((long)
                            (kind.medianNanos * Math.exp(random.nextGaussian() * 0.3 + (i % 97 == 0 ? 2.5 : 0))));
                }
                log.add(null, second * SECOND, (second + 1) * SECOND, each);
                whole.add(each);
                timeline.add(new Second(
                        (second + 1) * SECOND,
                        kind.perSecond,
                        kind.perSecond,
                        each.getValueAtPercentile(50),
                        each.getValueAtPercentile(99),
                        each.getMaxValue(),
                        0.12,
                        null,
                        0.001 * second,
                        0.4,
                        100L << 20,
                        400_000L,
                        null));
            }
            log.publish();
        }
        TrialResult result = result(id, transport, kind, whole, timeline);
        new ResultFolder(folder).write(result);
        return result;
    }

    /** Windows of 5,000 keys, measured twice, and of 20,000, which have as many slow steps in one trial. */
    static Path windows(Path above) throws IOException {
        Path folder = begin(above, "window-1");
        for (String id : List.of("5000-keys", "5000-keys-again", "20000-keys")) {
            int keys = Integer.parseInt(id.replaceFirst("-.*", ""));
            WindowStudy study = new WindowStudy(
                    WindowStudy.State.BOXED,
                    keys,
                    10 * SECOND,
                    SECOND / 100,
                    Limit.parse("p99.99<10ms"),
                    false,
                    null,
                    null);
            TrialPlan plan = FixedResults.plan("plain", "cooperative:1", "default")
                    .named(id)
                    .asking(study);
            TrialResult any = FixedResults.result(
                    plan,
                    1_000_000,
                    new Delivery(10, 10, 0, 0, 0, 0, 0, 0, List.of(), 0),
                    new Outcome(Verdict.PASS, List.of()));
            int slow = id.equals("5000-keys") ? 0 : 60;
            try (IntervalLog log = IntervalLog.create(folder.resolve(id + ".hlog"), id, 1_000)) {
                log.publish();
            }
            new ResultFolder(folder).write(FixedResults.responding(any, 500_000, slow, 20_000_000));
        }
        end(folder, "window", "--search");
        return folder;
    }

    private static TrialResult result(String id, String transport, Kind kind, Histogram whole, List<Second> timeline) {
        TrialPlan like = FixedResults.plan(transport, "cooperative:1", "default");
        TrialPlan plan = new TrialPlan(
                id,
                like.subject(),
                new Shape(5, kind.instances, 0),
                kind.perSecond == 0 ? Load.none(1) : new Load(kind.perSecond, Load.Arrivals.EVEN, 1),
                like.loops(),
                new Phases(SECOND, kind.seconds * SECOND, SECOND, false, kind.isProvisional),
                kind.limits);
        long count = whole.getTotalCount();
        TrialResult base = FixedResults.result(
                plan,
                kind.medianNanos,
                new Delivery(count, count, 0, 0, 0, 0, 0, 0, List.of(), 0),
                new Outcome(
                        kind.verdict,
                        kind.hostile.isEmpty()
                                ? kind.verdict == Verdict.PASS ? List.of() : List.of("broke p99.9<100ms")
                                : List.of(kind.hostile)));
        TrialEnvironment machine = base.environment();
        return new TrialResult(
                TrialResult.SCHEMA,
                plan,
                base.place(),
                base.outcome(),
                new TransportProperties(
                        transport,
                        base.transport().guarantees(),
                        kind.hostile.isEmpty() ? base.transport().properties() : Map.of(kind.hostile, kind.hostile)),
                base.span(),
                base.rate(),
                base.delivery(),
                Percentiles.of(whole, 0, 60 * SECOND, kind.seconds * SECOND, kind.perSecond),
                base.service(),
                base.sendDelay(),
                List.of(new InstanceFigures(
                        1,
                        count,
                        whole.getValueAtPercentile(50),
                        whole.getValueAtPercentile(99),
                        whole.getValueAtPercentile(99.9),
                        whole.getMaxValue(),
                        count,
                        0)),
                base.machine(),
                timeline,
                new TrialEnvironment(
                        machine.jvm(),
                        machine.cpuModel() + kind.hostile,
                        machine.processors(),
                        machine.kernel(),
                        machine.virtualisation(),
                        machine.clockSource(),
                        machine.nanoTimeCostNanos(),
                        machine.memoryBytes(),
                        machine.fileSystem(),
                        Map.of("chronicle-queue", "2026.4"),
                        null),
                id + ".hlog",
                null,
                kind.hasWhole ? new Histograms(compressed(whole), null, null) : null,
                kind.isExplained ? explanation(whole, kind) : null,
                List.of());
    }

    private static Explanation explanation(Histogram whole, Kind kind) {
        return new Explanation(
                List.of(
                        new Disturbance(Disturbance.Kind.GC, 2 * SECOND, 4_000_000, "G1 Evacuation Pause"),
                        new Disturbance(Disturbance.Kind.SAFEPOINT, 3 * SECOND, 300_000, "Cleanup" + kind.hostile),
                        new Disturbance(Disturbance.Kind.HOST, 5 * SECOND, 22_000_000, "steal")),
                3,
                new Tail(
                        99.9,
                        whole.getValueAtPercentile(99.9),
                        40,
                        38,
                        List.of(
                                new Tail.Share(Tail.Cause.HOST, 0.62, 22),
                                new Tail.Share(Tail.Cause.GC, 0.21, 9),
                                new Tail.Share(Tail.Cause.QUEUEING, 0.17, 7))),
                List.of(
                        new Stage(Stage.Kind.TOPIC, "topic 0", 1_000, 0, 9_000L, 30_000L, 900_000L, 1_900_000L),
                        new Stage(Stage.Kind.SERVICE, "validate" + kind.hostile, 1_000, 0, 200L, 400L, 9_000L, 40_000L),
                        new Stage(Stage.Kind.TOPIC, "topic 1", 1_000, 0, 800L, 3_000L, 700_000L, 1_100_000L)));
    }

    private static String compressed(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
