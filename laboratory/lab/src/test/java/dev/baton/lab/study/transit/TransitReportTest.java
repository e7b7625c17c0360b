package dev.baton.lab.study.transit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class TransitReportTest {
    private static final Terminal PIPE = new Terminal(false, false, 100, false);
    private static final Path FOLDER = Path.of("/results/transit-1");
    private static final long SECOND = 1_000_000_000;

    private static TrialResult trial(String engine, String transport, long p50Nanos, TransitFindings findings) {
        TrialPlan plan = new TrialPlan(
                transport + "-" + engine,
                new Subject(engine, transport, Map.of()),
                new Shape(0, 1, 216),
                new Load(100_000, Load.Arrivals.EVEN, 1),
                new LoopPlan(LoopPlan.PER_SERVICE, "spin", 0),
                new Phases(10 * SECOND, 100 * SECOND, 10 * SECOND),
                List.of(),
                new TransitStudy(3 * SECOND, List.of()),
                null);
        Delivery delivery = new Delivery(11_000_000, 11_000_000, 0, 0, 0, 0, 0, 0, List.of(), 0);
        String queues = transport.equals("chronicle") ? "/dev/shm/queues" : null;
        Place place = new Place("/results", queues, null, List.of(), null, null, false);
        return FixedResults.with(
                FixedResults.result(plan, place, p50Nanos, delivery, new Outcome(Verdict.PASS, List.of())), findings);
    }

    private static TransitFindings floor(long p50Nanos, String... doubts) {
        Latency floor = new Latency(
                300_000,
                p50Nanos,
                1.0 * p50Nanos,
                List.of(new Percentile(50, p50Nanos, 150_000, false, 0), new Percentile(99, 300L, 3_000, false, 0)),
                5_000L,
                0,
                SECOND);
        return new TransitFindings(floor, List.of(doubts), List.of(), "");
    }

    private static String report(TrialResult... trials) {
        return String.join("\n", TransitReport.lines(List.of(trials), FOLDER, PIPE));
    }

    @Test
    void repetitionsCompareMultiplesOfTheFloor() {
        assertThat(TransitTable.timesFloor(50).value().apply(trial("baton", "disruptor", 300, floor(120))))
                .isEqualTo(2.5);
    }

    @Test
    void pagesHaveTheFloorAndItsMultiples() {
        TrialResult trial = trial("baton", "disruptor", 300, floor(120));
        assertThat(new TransitKind().tables(List.of(trial), any -> "disruptor"))
                .singleElement()
                .extracting(
                        table -> table.rows().get(0).stream().map(Cell::text).toList())
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .startsWith("disruptor", "120 ns", "300 ns")
                .contains("2.50 x");
    }

    @Test
    void longTimesHaveLargerUnits() {
        assertThat(report(trial("baton", "disruptor", 300_000, floor(120))))
                .contains("300 us\n", "(1.50 ms)\n", "3.00 ms\n")
                .doesNotContain("300,000 ns");
    }

    @Test
    void figuresAreNanosecondsAndFloorMultiples() {
        assertThat(report(trial("baton", "disruptor", 300, floor(120))))
                .startsWith("one topic from one thread to another: messages of 256 bytes (40 of them header) at"
                        + " 100,000/s for")
                .contains("response  p50                  300 ns\n")
                .contains("          p99.9              (1.50 us)\n")
                .contains("          max                 3.00 us\n")
                .contains("floor     p50                  120 ns\n")
                .contains("multiple of floor p50          2.50 x\n")
                .contains("                  p99          3.00 x\n")
                .contains("above     p50         15,000\n", "          p99.9           30\n")
                .contains("one System.nanoTime takes 24 ns here")
                .contains("they\nidle in the same way (spin)")
                .endsWith("files: /results/transit-1")
                .doesNotContain("published elsewhere", "not reliable", "pinned", "provisional");
    }

    @Test
    void batonIsComparedWithItsReference() {
        assertThat(report(
                        trial("baton", "disruptor", 315, floor(120)),
                        trial("reference", "disruptor", 300, floor(120)),
                        trial("baton", "chronicle", 600, floor(120))))
                .contains("disruptor: p50 of baton is 1.05 times that of the reference")
                .doesNotContain("chronicle: p50 of");
    }

    @Test
    void changedMachineIsReported() {
        String changed =
                report(trial("baton", "disruptor", 636, floor(308)), trial("reference", "disruptor", 176, floor(125)));
        assertThat(changed.replaceAll("\\s+", " "))
                .contains("p50 of baton is 3.61 times that of the reference, but the machine was not the same: a bare"
                        + " hand-over took 308 ns in the one trial and 125 ns in the other; compare the multiples of the"
                        + " floor (2.06 x and 1.41 x), and repeat with --trials");
        assertThat(report(
                        trial("baton", "disruptor", 200, floor(120)), trial("reference", "disruptor", 176, floor(125))))
                .doesNotContain("the machine was not the same");
    }

    @Test
    void publishedFiguresAreShownUnranked() {
        assertThat(report(trial("baton", "chronicle", 600, floor(120))))
                .contains("published elsewhere: other hardware, other method; not ranked")
                .contains("chronicle, OpenJDK 17 (Temurin) 17.0.2     290 ns  4.04 us")
                .contains("queues of chronicle: in /dev/shm/queues, ext4");
    }

    @Test
    void disturbedFloorIsReported() {
        assertThat(report(trial("baton", "disruptor", 300, floor(301))))
                .contains("its floor is not reliable: it took longer than the messages");
        assertThat(report(trial("baton", "disruptor", 300, floor(120, "instance 1 reached 90 % of its rate"))))
                .contains("its floor is not reliable: instance 1 reached 90 % of its rate");
    }

    @Test
    void missingFloorHasNoMultiples() {
        assertThat(report(trial("baton", "disruptor", 300, new TransitFindings(null, null, null, null))))
                .doesNotContain("floor ", "x floor");
        assertThat(report(trial("baton", "disruptor", 300, null))).contains("response  p50");
    }

    @Test
    void boundThreadsAndIsolationAreReported() {
        assertThat(report(trial("baton", "disruptor", 300, new TransitFindings(null, List.of(), List.of(2, 3), "2-7"))))
                .contains("pinned: the sender to CPU 2, the receiver to CPU 3; the kernel isolates CPUs 2-7");
        assertThat(report(trial("baton", "disruptor", 300, new TransitFindings(null, List.of(), List.of(0, 1), "")))
                        .replace('\n', ' '))
                .contains("the kernel isolates no CPU (isolcpus), so other threads run there, too");
    }

    @Test
    void aFirstLookIsMarked() {
        TrialResult trial = trial("baton", "disruptor", 300, floor(120));
        TrialResult quick =
                FixedResults.result(trial.plan().provisional(), trial.place(), 300, trial.delivery(), trial.outcome());
        assertThat(report(FixedResults.with(quick, trial.findings())))
                .contains("provisional (--quick): short trials, do not quote their figures");
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        assertThat(report(
                                trial("baton", "disruptor", 315, floor(120)),
                                trial("reference", "disruptor", 300, floor(120)),
                                trial("baton", "chronicle", 600, floor(120)),
                                trial("reference", "chronicle", 600, floor(120)))
                        .lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }
}
