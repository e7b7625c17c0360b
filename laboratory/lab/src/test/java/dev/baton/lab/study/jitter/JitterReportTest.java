package dev.baton.lab.study.jitter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.jitter.JitterFindings.Cause;
import dev.baton.lab.study.jitter.JitterFindings.Event;
import dev.baton.lab.study.jitter.JitterFindings.Stops;
import dev.baton.lab.study.jitter.JitterFindings.Tally;
import dev.baton.measuring.machine.Evidence.Probed;
import dev.baton.operations.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class JitterReportTest {
    private static final Terminal PIPE = new Terminal(false, false, 100, false);
    private static final Path FOLDER = Path.of("/results/jitter-1");

    private static String report(TrialResult... runs) {
        return String.join("\n", JitterReport.lines(List.of(runs), FOLDER, PIPE));
    }

    /** A line may end anywhere. */
    private static String flat(TrialResult... runs) {
        return report(runs).replaceAll("\\s+", " ");
    }

    @Test
    void ownFiguresFollowPublishedRows() {
        String report = report(run("default", 1_000L, 1_000L, 60), run("off", 1_000L, 0L, 0));
        assertThat(report)
                .startsWith("the time from a producer through a Disruptor to an accumulator, 1,000/s for 30s, by the"
                        + " interval of\nguaranteed safepoints\n")
                .contains("                    default (1s)        off   elsewhere 1  elsewhere 2  elsewhere 3")
                .contains("service   mean            473 ns     473 ns        269 ns       385 ns       263 ns")
                .contains("          min             215 ns     215 ns        168 ns       152 ns       136 ns")
                .contains("          p99.99        (3.44 us)  (3.44 us)       960 ns       864 ns       608 ns")
                .contains("          p99.9999             -          -       15.9 us      17.4 us      10.2 us")
                .contains("          count           30,000     30,000     3,595,101    3,595,101    3,595,101")
                .contains("response  mean            473 ns     473 ns             -            -            -");
        assertThat(report.replaceAll("\\s+", " "))
                .contains("published elsewhere: other hardware, other method; not ranked:")
                .contains("1: HotSpot 1.8.0_60 with forced safepoints: default, 2: HotSpot 1.8.0_60 with forced"
                        + " safepoints: GuaranteedSafepointInterval=600000, 3: Zing");
    }

    @Test
    void listedEventsHaveCauseAndEvidence() {
        assertThat(report(run("default", 1_000L, 1_000L, 60)))
                .contains("worst events of default (1s), late from the moment they were due")
                .contains("1  12.346 s  2.50 ms     700 ns        25  safepoint\n"
                        + "     safepoint Cleanup, 0.400 ms to reach, 0.600 ms in all")
                .contains("2  13.000 s  1.50 ms    1.40 ms        15    unknown\n     no source reported anything");
    }

    @Test
    void causesAreCountedForEachRun() {
        assertThat(report(run("default", 1_000L, 1_000L, 60), run("off", 1_000L, 0L, 0))
                        .replaceAll(" +", " "))
                .contains("longest events 1,000 1,000\n down to 50.0 us 50.0 us\n")
                .contains("\nsafepoint 60, 60.0 ms -\nunknown 940, 500 ms 1,000, 500 ms\n")
                .contains("\nsafepoint Cleanup 30, worst 3.00 ms -\n")
                .contains("\nhiccups of core 0 p99 500 us, max 4.00 ms p99 500 us, max 4.00 ms\n")
                .contains("\nprobes and counters, CPU of a core 0.40 % 0.40 %\n")
                .contains("safepoint: stops of this JVM for another reason; unknown: nothing explains half of");
    }

    @Test
    void significantDifferenceIsReported() {
        assertThat(flat(run("default", 1_000L, 1_000L, 60), run("off", 1_000L, 0L, 0)))
                .contains("By default this JVM guarantees a safepoint every 1s if there is something to clean up"
                        + " (GuaranteedSafepointInterval is 1000).")
                .contains(
                        "The interval makes a difference: 60 of the 1,000 longest events of default (1s) are safepoints"
                                + " other than collections (60.0 ms in all), against 0 of 1,000 of off (0 ns).");
    }

    @Test
    void insignificantDifferenceIsNotReported() {
        assertThat(flat(run("default", 0L, 0L, 1), run("on", 0L, 1_000L, 3)))
                .contains("By default this JVM guarantees no safepoints (GuaranteedSafepointInterval is 0).")
                .contains("No significant effect of the interval: 3 of the 1,000 longest events of on (1s)")
                .contains("against 1 of 1,000 of default (off) (1.00 ms); the interval caused 30 safepoints, the"
                        + " longest of 3.00 ms.");
    }

    @Test
    void singleRunIsNotCompared() {
        assertThat(flat(run("off", 1_000L, 0L, 0))).doesNotContain("makes a difference", "No significant effect");
        assertThat(flat(run("off", 1_000L, 0L, 0), run("default", 0L, 0L, 0)))
                .contains("No two runs differ in being with and without guaranteed safepoints");
    }

    @Test
    void aFirstLookIsMarkedAsProvisional() {
        assertThat(report(run("default", 1_000L, 1_000L, 60))).doesNotContain("provisional");
        TrialResult quick = result("default", 1_000L, findings(1_000L, 60), true);
        assertThat(report(quick))
                .startsWith(
                        "provisional (--quick): short trials, do not quote their figures\nthe time from a producer");
    }

    @Test
    void runWithoutEventsHasNoCauses() {
        assertThat(report(result("default", 1_000L, null, false)))
                .contains("service   mean", "files: /results/jitter-1")
                .doesNotContain("worst events", "causes");
    }

    @Test
    void missingIntervalIsReported() {
        assertThat(flat(result("default", null, null, false)))
                .contains("This JVM has no interval of guaranteed safepoints that could be changed.");
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        assertThat(report(run("default", 1_000L, 1_000L, 60), run("off", 1_000L, 0L, 0))
                        .lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    private static TrialResult run(String words, long byDefault, long interval, int safepoints) {
        return result(words, byDefault, findings(interval, safepoints), false);
    }

    private static JitterFindings findings(long interval, int safepoints) {
        List<Event> events = List.of(
                new Event(
                        12_345_678_000L,
                        2_500_000,
                        700,
                        25,
                        Cause.SAFEPOINT,
                        "safepoint Cleanup, 0.400 ms to reach, 0.600 ms in all"),
                new Event(13_000_000_000L, 1_500_000, 1_400_000, 15, Cause.UNKNOWN, "no source reported anything"));
        Tally unknown = new Tally(Cause.UNKNOWN, 1_000 - safepoints, 500_000_000);
        return new JitterFindings(
                interval,
                false,
                events,
                safepoints == 0
                        ? List.of(unknown)
                        : List.of(new Tally(Cause.SAFEPOINT, safepoints, safepoints * 1_000_000L), unknown),
                1_000,
                50_000L,
                interval == 0 ? List.of() : List.of(new Stops("Cleanup", 30, 9_000_000, 3_000_000, 400_000)),
                12,
                List.of(new Probed(0, 20_000_000, 5_000, 60_000, 500_000, 4_000_000)),
                0.004,
                20_000_000,
                List.of());
    }

    private static TrialResult result(String words, Long byDefault, JitterFindings findings, boolean isQuick) {
        TrialPlan chain = FixedResults.plan("disruptor", "per-service", "spin");
        TrialPlan plan = new TrialPlan(
                "safepoints-" + words,
                chain.subject(),
                chain.shape(),
                chain.load(),
                chain.loops(),
                chain.phases(),
                chain.limits(),
                new JitterStudy(words, byDefault, 20, false, isQuick),
                null);
        TrialResult result = FixedResults.result(
                plan,
                430,
                new Delivery(40_000, 40_000, 0, 0, 0, 0, 0, 0, List.of(), 0),
                new Outcome(Verdict.PASS, List.of()));
        return FixedResults.with(result, findings);
    }
}
