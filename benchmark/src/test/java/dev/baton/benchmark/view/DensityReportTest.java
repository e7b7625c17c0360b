package dev.baton.benchmark.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.benchmark.density.Contender;
import dev.baton.benchmark.density.Searches;
import dev.baton.benchmark.density.Shortage;
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
    void theCurveTheAnswerAndWhatOthersPublishedAreTold() {
        Contender chronicle = Searches.contender("chronicle", "baton", 8, 1_000, null);
        run(10, AMPLE, chronicle);
        assertThat(report(chronicle)).isEqualTo("GOLDEN");
    }

    @Test
    void trialsStandUnderOneHeadingWithTheirReasons() {
        run(10, AMPLE, disruptor);
        DensityLines lines = new DensityLines(List.of(disruptor), PIPE);
        List<String> all = new ArrayList<>(lines.heading());
        disruptor.trials().stream().limit(2).forEach(trial -> all.addAll(lines.trial(disruptor, trial)));
        assertThat(String.join("\n", all)).isEqualTo("GOLDEN");
    }

    @Test
    void severalContendersAreToldApartByWhatTheyDoNotShare() {
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
                .contains("disruptor, baton: not settled, as the budget ran out: 8 chains at 1,000 msg/s keep"
                        + " p99.9 < 100ms (not confirmed), and 16 did not (instance 3 broke p99.9<100ms with 150ms).");
    }

    @Test
    void aBudgetForNothingSaysSo() {
        run(10, Duration.ofSeconds(1), disruptor);
        assertThat(report(disruptor)).contains("no trial was run, as the budget ran out.");
    }

    @Test
    void aLimitThatOneChainBreaksIsSaidWithTheReason() {
        run(0, AMPLE, disruptor);
        assertThat(flowing(report(disruptor)))
                .contains("disruptor, baton: not even one chain at 1,000 msg/s keeps p99.9 < 100ms: instance 3 broke"
                        + " p99.9<100ms with 150ms.");
    }

    @Test
    void whereTheMachineEndsTheSearchTheReaderLearnsWhatItLacks() {
        Shortage lack = new Shortage("open files", "6,100", "1,024", "raise it with 'ulimit -n 6100'");
        Contender capped = Searches.contender("chronicle", "baton", 8, 32, lack);
        run(1_000, AMPLE, capped);
        assertThat(flowing(report(capped)))
                .contains(
                        "chronicle, baton: at least 32 chains at 1,000 msg/s keep p99.9 < 100ms; more were not tried (33"
                                + " instances need 6,100 open files, there are 1,024: raise it with 'ulimit -n 6100').");
    }

    private static void run(int capacity, Duration budget, Contender... contenders) {
        new Searches().run(List.of(contenders), budget, plan -> Searches.holding(plan, capacity));
    }

    private static String report(Contender... contenders) {
        return String.join("\n", DensityReport.lines(List.of(contenders), Path.of("/results/density-1"), PIPE));
    }

    private static String flowing(String text) {
        return text.replace('\n', ' ');
    }
}
