package dev.baton.lab.study.density;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Units;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DensityReportTest {
    private static final Terminal PIPE = new Terminal(false, false, 100, false);
    private static final Duration AMPLE = Duration.ofHours(24);

    private final Contender disruptor = Searches.contender("disruptor", "baton", 8, 1_000, null);

    @Test
    void reportHasCurveAnswerAndPublishedFigures() {
        Contender chronicle = Searches.contender("chronicle", "baton", 8, 1_000, null);
        run(10, AMPLE, chronicle);
        assertThat(report(chronicle)).isEqualTo("""

                        chronicle, baton
                            worst p99.9       p50      p99     p99.9   send p99.9      CPU  ns/hop  RSS/inst       verdict
                         8     (50.0 ms)  10.0 ms  30.0 ms  (50.0 ms)    (50.0 ms)  12.5 %  20,833  14.8 MiB        (PASS)
                        10      50.0 ms   10.0 ms  30.0 ms  (50.0 ms)    (50.0 ms)  12.5 %  20,833  11.8 MiB  PASS, (PASS)
                        11       150 ms   10.0 ms  30.0 ms  (50.0 ms)    (50.0 ms)  12.5 %  20,833  10.7 MiB  FAIL, (FAIL)
                        12      (150 ms)  10.0 ms  30.0 ms  (50.0 ms)    (50.0 ms)  12.5 %  20,833  9.83 MiB        (FAIL)
                        16      (150 ms)  10.0 ms  30.0 ms  (50.0 ms)    (50.0 ms)  12.5 %  20,833  7.38 MiB     (FAIL) x2

                        Figures and verdicts in parentheses have fewer than 100 messages above a percentile: they are
                        provisional and do not affect the answer.
                        chronicle, baton: 10 chains at 1,000 msg/s keep p99.9 < 100ms; 11 did not (instance 3 broke
                        p99.9<100ms with 150ms).
                        chronicle, baton: at 11 chains the p99.9 of all messages is 50.0 ms from the intended send and from
                        the actual send.

                        cost
                                             chains  cores  per core  normalised  relative cost
                        chronicle, baton         10      2      5.00     0.10000          100 %
                        chronicle elsewhere     500      7      71.4     0.00200          100 %
                        The whole machine is paid for, with the cores that wait and with a broker of the chains' own;
                        normalised is 1 / chains, as published.

                        published elsewhere: other hardware, other method; not ranked
                                     N     p50     p99   p99.9    CPU  verdict
                        chronicle    1  0.5 ms  0.8 ms  0.9 ms  5.2 %   within
                        chronicle   10  0.5 ms  0.9 ms  0.9 ms   79 %   within
                        chronicle   25  0.5 ms  0.9 ms  3.6 ms  180 %   within
                        chronicle   50  0.5 ms  0.9 ms  5.0 ms  425 %   within
                        chronicle  100  1.0 ms    5 ms   20 ms  700 %   within
                        chronicle  150  2.0 ms    7 ms   53 ms  700 %   within
                        chronicle  200  3.1 ms    9 ms   59 ms  700 %   within
                        chronicle  250  4.8 ms   12 ms   62 ms  700 %   within
                        chronicle  375  8.7 ms   23 ms   75 ms  700 %   within
                        chronicle  500   11 ms   36 ms   96 ms  700 %   within
                        from: "How to Reduce Cloud Cost by 99% for EDA Kafka Applications", P. Minborg, 2022-03-29: five
                              services, 1,000 msg/s per instance, limit p99.9 < 100 ms; Ryzen 9 5950X, 7 isolated cores,
                              64 GB, OpenJDK 11; Kafka acks=1 with its broker on the same cores; latency from the actual
                              send; CPU read by eye

                        machine: Example CPU @ 3.00GHz, 2 cores, 24.0 GiB, Linux 6.1, clock tsc; shared or virtual
                                 (hypervisor flag): relative only
                        files: /results/density-1""");
    }

    @Test
    void theLoadOfOtherProcessesIsNamed() {
        new Searches().run(List.of(disruptor), AMPLE, plan -> {
            FinishedTrial trial = Searches.holding(plan, 10);
            return new FinishedTrial(plan, FixedResults.crowded(trial.result(), 1.85, 0.6), null);
        });
        assertThat(report(disruptor)).contains("RSS/inst  others\n", "11.8 MiB   185 %\n", "10  PASS, (PASS)\n");
        assertThat(flowing(report(disruptor)))
                .contains(
                        "disturbed: while 8 of 8 trials were measured, other processes used 185 % to 185 % of a core, and"
                                + " took up to 60 % of the CPU time that the trial requested; repeat them on a quiet machine");
    }

    @Test
    void waitForQuietHostIsReported() {
        Searches searches = new Searches();
        searches.run(
                List.of(disruptor),
                AMPLE,
                plan -> searches.ran.size() <= 2 ? Searches.robbed(plan) : Searches.holding(plan, 10));

        assertThat(disruptor.finding().holds()).isEqualTo(10);
        assertThat(disruptor.waited()).isPositive();
        assertThat(report(disruptor))
                .contains("disruptor, baton: waited " + Units.span(disruptor.waited())
                        + " for a quiet host; 2 trials were inconclusive");
    }

    @Test
    void trialsStandUnderOneHeadingWithTheirReasons() {
        run(10, AMPLE, disruptor);
        DensityLines lines = new DensityLines(List.of(disruptor), PIPE);
        List<String> all = new ArrayList<>(lines.heading());
        disruptor.trials().stream().limit(2).forEach(trial -> all.addAll(lines.trial(disruptor, trial)));
        assertThat(String.join("\n", all).stripIndent()).isEqualTo("""

                            N  worst p99.9     of       p50       p99     p99.9     CPU  ns/hop    cs/s  RSS/inst
                            8     (50.0 ms)    #3   10.0 ms   30.0 ms  (50.0 ms) 12.5 %  20,833       3  14.8 MiB  (PASS)
                           16      (150 ms)    #3   10.0 ms   30.0 ms  (50.0 ms) 12.5 %  20,833       3  7.38 MiB  (FAIL)
                                instance 3 broke p99.9<100ms with 150ms (and 1 more)""");
    }

    @Test
    void contendersAreNamedByTheirDifferences() {
        Contender reference = Searches.contender("disruptor", "reference", 1, 1_000, null);
        run(10, AMPLE, disruptor, reference);
        for (int width : new int[] {80, 100, 120}) {
            DensityLines lines =
                    new DensityLines(List.of(disruptor, reference), new Terminal(false, false, width, false));
            List<String> all = new ArrayList<>(lines.heading());
            for (Contender each : List.of(disruptor, reference)) {
                all.addAll(lines.trial(each, each.trials().get(0)));
            }
            assertThat(all).anyMatch(line -> line.startsWith("disruptor baton"));
            assertThat(all).anyMatch(line -> line.startsWith("disruptor reference"));
            if (width >= 100) {
                assertThat(all).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
            }
        }
        assertThat(report(disruptor, reference))
                .contains("disruptor, baton: 10 chains", "disruptor, reference: 10 chains")
                .doesNotContain("cooperative:2:");
    }

    @Test
    void aBudgetThatRanOutLeavesTheBracket() {
        run(10, Duration.ofSeconds(130), disruptor);
        assertThat(flowing(report(disruptor)))
                .contains("disruptor, baton: inconclusive, as the budget ran out: 8 chains at 1,000 msg/s keep"
                        + " p99.9 < 100ms (not confirmed), and 16 did not (instance 3 broke p99.9<100ms with 150ms).");
    }

    @Test
    void tooSmallBudgetIsReported() {
        run(10, Duration.ofSeconds(1), disruptor);
        assertThat(report(disruptor)).contains("no trial was completed, as the budget ran out.");
    }

    @Test
    void limitExceededByOneChainIsReported() {
        run(0, AMPLE, disruptor);
        assertThat(flowing(report(disruptor)))
                .contains("disruptor, baton: not even one chain at 1,000 msg/s keeps p99.9 < 100ms: instance 3 broke"
                        + " p99.9<100ms with 150ms.");
    }

    @Test
    void shortDecidingTrialsGiveProvisionalAnswer() {
        for (int mostForLong : new int[] {1, 10}) {
            Contender hasty = Searches.contender("disruptor", "baton", 8, 1_000, null, mostForLong);
            run(10, AMPLE, hasty);
            String numbers = mostForLong == 1 ? "verdicts on 10 and 11 chains rest" : "verdict on 11 chains rests";
            assertThat(flowing(report(hasty)))
                    .contains("disruptor, baton: provisional, not an answer: 10 chains at ")
                    .contains("11 did not (instance 3 broke p99.9<100ms with 150ms). Provisional: the " + numbers
                            + " on fewer than 100 messages of an instance above the limit's percentile.");
            assertThat(DensityReport.headline(List.of(hasty), null).toString()).contains(" Provisional: ");
        }
        run(10, AMPLE, disruptor);
        assertThat(report(disruptor)).doesNotContain("Provisional");
    }

    @Test
    void missingResourceOfMachineIsReported() {
        AvailableResources.MissingResource lack = new AvailableResources.MissingResource(
                "open files", "6,100", "1,024", "raise it with 'ulimit -n 6100'");
        Contender capped = Searches.contender("chronicle", "baton", 8, 32, lack);
        run(1_000, AMPLE, capped);
        assertThat(flowing(report(capped)))
                .contains(
                        "chronicle, baton: at least 32 chains at 1,000 msg/s keep p99.9 < 100ms; larger numbers were not run (33"
                                + " instances need 6,100 open files, there are 1,024: raise it with 'ulimit -n 6100').");
    }

    private static void run(int capacity, Duration budget, Contender... contenders) {
        new Searches().run(List.of(contenders), budget, plan -> Searches.holding(plan, capacity));
    }

    private static String report(Contender... contenders) {
        return String.join("\n", DensityReport.lines(List.of(contenders), null, Path.of("/results/density-1"), PIPE));
    }

    private static String flowing(String text) {
        return text.replace('\n', ' ');
    }
}
