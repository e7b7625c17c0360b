package dev.baton.lab.study.reproduce;

import dev.baton.measuring.machine.SystemLimits;
import dev.baton.operations.terminal.Paint;
import java.util.List;

/** Which collector keeps the tail of a sliding window short. */
final class GcRematch implements PublishedStudy {
    private static final String KEYS = "5000,25000,50000,105000";
    private static final String QUICK_KEYS = "5000";
    private static final long SECONDS = 275;
    private static final int NUMBERS = 4;

    /** Whether a heap is left for the machine of two tables of all keys and a thousand of 10,000 entries. */
    private static final long ROOMY_BYTES = 10L << 30;

    @Override
    public String name() {
        return "gc-rematch";
    }

    @Override
    public String question() {
        return "which collector keeps the p99.99 of a sliding window below 10 ms, up to which throughput?";
    }

    @Override
    public String source() {
        return "\"The Low-Latency Rematch\", M. Topolnik, 2020-06-23; c5.4xlarge, 16 vCPU, 32 GB; JDK 14.0.2 pre-release"
                + " and 15 EA 27; 24,000 samples, so that two or three lie above p99.99";
    }

    @Override
    public List<String> settings() {
        return List.of(
                "1,000,000 events/s from one source, whose keys come in order (n % keys); counts by key over a sliding"
                        + " window of 10 s by 10 ms; every key is emitted at each step",
                "5,000 to 105,000 keys, that is 1.5 to 11.5 million items/s, input and output; states in hash maps of boxed"
                        + " numbers, one for each step",
                "latency from the end of a step to its first result",
                "20 s of warm-up, 240 s measured, 24,000 samples",
                "G1 with -XX:MaxGCPauseMillis=5; the others with -XX:+UseNUMA; one set of threads for the whole machine");
    }

    @Override
    public List<String> deviations() {
        return List.of(
                "the job is a chain of Baton's over the Disruptor, not a pipeline of Hazelcast Jet",
                "JDK and machine are those here: no biased locking to switch off, Shenandoah with its pacer patch, ZGC as"
                        + " this JDK has it",
                "the heap is " + (isRoomy() ? "6 GB" : "4 GB") + "; the published ones are not stated",
                "as many loops and sources as the machine has cores beside the collector's threads; there 16",
                "p99.99 of 24,000 samples is shown in parentheses: fewer than 100 lie above it, and it decides nothing");
    }

    private static boolean isRoomy() {
        return SystemLimits.totalMemoryBytes() >= ROOMY_BYTES;
    }

    @Override
    public List<Step> steps() {
        return List.of(
                step("G1", "g1", "-XX:MaxGCPauseMillis=5", 1),
                step("concurrent and parallel", "zgc,shenandoah,parallel", "-XX:+UseNUMA", 3));
    }

    private static Step step(String label, String collectors, String flags, int count) {
        String heap = isRoomy() ? "6g" : "4g";
        return Step.of(
                label,
                "window --transport disruptor --state boxed --key-order in-order --rate 1m --step 10ms --trials 1 --gc "
                        + collectors + " --jvm-flags=" + flags,
                "--quick --window 1s --warmup 2s --duration 3s --heap 1g --keys " + QUICK_KEYS,
                "--window 10s --warmup 20s --duration 240s --heap " + heap + " --keys " + KEYS,
                (count + 1) * 12L,
                (count * NUMBERS + 1) * SECONDS); // a matrix measures its first row twice
    }

    @Override
    public List<String> figures(List<Reproduced> reproduced, Paint paint, int width) {
        return Windows.figures(reproduced, Windows.REMATCH, source(), paint, width);
    }
}
