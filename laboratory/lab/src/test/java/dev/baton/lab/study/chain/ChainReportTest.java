package dev.baton.lab.study.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainReportTest {
    private static final Terminal PIPE = new Terminal(false, false, 100, false);
    private static final Path FOLDER = Path.of("/results/chain-1");

    private static String report(TrialResult... trials) {
        return String.join("\n", ChainReport.lines(List.of(trials), FOLDER, PIPE));
    }

    @Test
    void transportsAreShownWithAllRemarks() {
        assertThat(report(FixedResults.passed("disruptor", 43_000), FixedResults.passed("kafka", 1_230_000)))
                .isEqualTo("""
                        5 services, 1 instance at 1,000 msg/s, payload 0 B; response times run from the intended send

                                                   disruptor       kafka
                        sent                          40,000      40,000
                        delivered                     40,000      40,000

                        response  p50                43.0 us     1.23 ms
                                  p90                86.0 us     2.46 ms
                                  p99                 129 us     3.69 ms
                                  p99.9              (215 us)   (6.15 ms)
                                  p99.99             (344 us)   (9.84 ms)
                                  max                 430 us     12.3 ms
                        service   p50                43.0 us     1.23 ms
                                  p99                 129 us     3.69 ms
                                  p99.9              (215 us)   (6.15 ms)
                        send delay p50               1.20 us     1.20 us
                                   p99               3.60 us     3.60 us
                                   p99.9            (6.00 us)   (6.00 us)

                        JVM       CPU of a core       12.5 %      12.5 %
                                  + probes            1.00 %      1.00 %
                                  allocated/msg          0 B       812 B
                                  RSS                118 MiB     118 MiB
                        broker    CPU of a core            -      31.0 %
                                  RSS                      -     450 MiB
                        machine   steal               0.40 %      0.40 %
                                  other processes     3.40 %       159 %
                                  worst stall        12.3 ms     12.3 ms
                                  caused by                -    own load

                        verdict                    delivered   delivered

                        Figures in parentheses have fewer than 100 samples above them; run for --duration 100s to know
                        p99.9, --duration 17m to know p99.99.
                        sent and delivered include the warm-up; times and rates do not.
                        The columns have different guarantees (below): do not rank them.
                        disturbed: while kafka was measured, other processes used 159 % of a core; repeat it on a quiet
                        machine

                        disruptor: durability memory of this process only; visible at once
                        kafka: durability page cache of the broker; crosses hosts
                        guarantees: --guarantees prints them in full, docs/guarantees.md explains them

                        run: engine baton, cooperative:1, idle default, sender on the loops; Eclipse Adoptium 25.0.3, G1,
                             heap 256 MiB
                        machine: Example CPU @ 3.00GHz, 2 cores, 24.0 GiB, Linux 6.1, clock tsc; shared or virtual
                                 (hypervisor flag): relative only
                        files: /results/chain-1""");
    }

    @Test
    void enginesAreNamedUnlessAllAreBaton() {
        TrialResult hand = FixedResults.result(
                FixedResults.plan(Subject.REFERENCE, "kafka", "per-service", "default"),
                1000,
                new Delivery(1, 1, 0, 0, 0, 0, 0, 0, List.of(), 0),
                new Outcome(Verdict.PASS, List.of()));
        assertThat(report(FixedResults.passed("kafka", 43_000), hand))
                .contains("  kafka baton   kafka reference\n")
                .contains("\nkafka reference: durability page cache of the broker; crosses hosts")
                .contains("kafka reference: engine reference, per-service, idle default, sender on");
    }

    @Test
    void boundOfMessagesInFlightIsOfOneProcess() {
        TrialResult saturated = FixedResults.saturated("chronicle", 43_000);
        TrialPlan plan = saturated.plan();
        TrialPlan four = new TrialPlan(
                plan.id(), plan.subject(), plan.shape().of(4), plan.load(), plan.loops(), plan.phases(), plan.limits());
        Place shared = new Place("/results", null, null, null, new Place.Meeting("/meeting", 4), null, false);
        assertThat(report(FixedResults.result(four, 43_000, saturated.delivery(), saturated.outcome())))
                .contains("at most 2,560 in flight");
        assertThat(report(FixedResults.result(four, shared, 43_000, saturated.delivery(), saturated.outcome())))
                .contains("at most 10,240 in flight");
    }

    @Test
    void saturationReportsThroughputFirst() {
        assertThat(report(FixedResults.saturated("disruptor", 43_000), FixedResults.saturated("kafka", 1_230_000)))
                .startsWith("5 services, 1 instance saturated, payload 0 B; limited by back-pressure, at most 10,240")
                .contains("each; not response times at a rate")
                .contains("messages  per second            1,000        1,000")
                .contains("one hop   wall time        166,667 ns   166,667 ns")
                .contains("          CPU time          20,833 ns    72,500 ns")
                .contains("service   p50                 43.0 us      1.23 ms")
                .doesNotContain("response  p50", "send delay");
    }

    @Test
    void faultsAreCountedExplainedAndLocated() {
        assertThat(report(FixedResults.passed("disruptor", 43_000), FixedResults.failed("chronicle")))
                .contains("lost                               0           2")
                .contains("chronicle FAIL: 2 messages lost; 1 message duplicated")
                .contains("lost: instance 1, message 12,345: 2 in a row, until 12346")
                .contains("duplicated: instance 1, message 20,000: arrived again after 20003")
                .doesNotContain("corrupted");
    }

    @Test
    void excessSpinningThreadsAreReported() {
        TrialResult spinning = FixedResults.result(
                FixedResults.plan("disruptor", "per-service", "spin"),
                1000,
                new Delivery(1, 1, 0, 0, 0, 0, 0, 0, List.of(), 0),
                new Outcome(Verdict.PASS, List.of()));
        assertThat(report(spinning)).contains("oversubscribed: disruptor ran 7 spinning threads on 2 cores");
        assertThat(report(FixedResults.passed("disruptor", 43_000))).doesNotContain("oversubscribed");
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        assertThat(report(
                                FixedResults.passed("disruptor", 43_000),
                                FixedResults.failed("chronicle"),
                                FixedResults.passed("kafka", 1_230_000))
                        .lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void coloursAreUsedOnATerminalOnly() {
        List<TrialResult> trials = List.of(FixedResults.passed("disruptor", 43_000));
        assertThat(String.join("\n", ChainReport.lines(trials, FOLDER, new Terminal(true, true, 100, true))))
                .contains("\u001b[2m", "\u001b[32mdelivered");
        assertThat(report(trials.get(0))).doesNotContain("\u001b");
    }
}
