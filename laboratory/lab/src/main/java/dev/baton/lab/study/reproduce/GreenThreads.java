package dev.baton.lab.study.reproduce;

import dev.baton.operations.terminal.Paint;
import java.util.List;
import java.util.Locale;

/** How far a concurrent collector and cooperative threads go together. */
final class GreenThreads implements PublishedStudy {
    private static final long SECONDS = 275;
    private static final double EVENTS = 10_000_000;
    private static final int PUBLISHED_CORES = 96;

    @Override
    public String name() {
        return "green-threads";
    }

    @Override
    public String question() {
        return "how much does a sliding window carry with cooperative threads that leave the collector its own?";
    }

    @Override
    public String source() {
        return "\"Sub-10 ms Latency in Java: Concurrent GC with Green Threads\", M. Topolnik, 2020-08-05; c5.4xlarge, 16"
                + " vCPU, and c5.metal, 96 vCPU; JDK 15 EA 33";
    }

    @Override
    public List<String> settings() {
        return List.of(
                "first job: that of gc-rematch, on as many cooperative threads as the machine has cores beside the"
                        + " collector's, with a source on each",
                "G1 with -XX:MaxGCPauseMillis=5 and a young generation of at most 100, 150 and 200 MB; ZGC; the collector's"
                        + " own numbers of threads",
                "second job: 10,000,000 events/s, a window of 1 s by 10 ms, 100,000 keys in order, each 100 times a second",
                "20 s of warm-up, 240 s measured");
    }

    @Override
    public List<String> deviations() {
        return List.of(
                "the jobs are chains of Baton's over the Disruptor, not pipelines of Hazelcast Jet",
                "the second job counts by key; the published one takes a time integral by key",
                "the second job runs at its full rate, which fails where the cores do not carry it, and at this machine's"
                        + " share of 96 cores: " + share() + " events/s, keys in proportion",
                "no task blocks, so none has a thread of its own",
                "JDK and machine are those here; p99.99 of 24,000 samples is in parentheses and decides nothing");
    }

    private static long share() {
        return Math.round(EVENTS * Runtime.getRuntime().availableProcessors() / PUBLISHED_CORES);
    }

    @Override
    public List<Step> steps() {
        long keys = Math.max(100, share() / 100);
        return List.of(
                first(
                        "G1",
                        "g1",
                        "-XX:MaxGCPauseMillis=5 -XX:MaxNewSize=100m;-XX:MaxGCPauseMillis=5 -XX:MaxNewSize=150m;"
                                + "-XX:MaxGCPauseMillis=5 -XX:MaxNewSize=200m",
                        3),
                first("ZGC", "zgc", "-XX:+UseNUMA", 1),
                second("second job", "10m", 100_000),
                second("second job, this machine's share", String.format(Locale.ROOT, "%d", share()), keys));
    }

    private static Step first(String label, String collector, String flags, int count) {
        Step step = Step.of(
                label,
                "window --transport disruptor --state boxed --key-order in-order --rate 1m --step 10ms --trials 1 --gc "
                        + collector,
                "--quick --window 1s --warmup 2s --duration 3s --heap 1g --keys 5000",
                "--window 10s --warmup 20s --duration 240s --heap 4g --keys 5000,50000",
                (count + 1) * 12L,
                (2L * count + 1) * SECONDS); // a matrix measures its first row twice
        return step.and("--jvm-flags=" + flags);
    }

    private static Step second(String label, String rate, long keys) {
        return Step.of(
                label,
                "window --transport disruptor --state boxed --key-order in-order --step 10ms --window 1s --gc g1"
                        + " --jvm-flags=-XX:MaxGCPauseMillis=5 --rate " + rate + " --keys " + keys,
                "--quick --warmup 2s --duration 3s --heap 2g",
                "--warmup 20s --duration 240s --heap 4g",
                15,
                SECONDS);
    }

    @Override
    public List<String> figures(List<Reproduced> reproduced, Paint paint, int width) {
        return Windows.figures(reproduced, Windows.GREEN_THREADS, source(), paint, width);
    }
}
