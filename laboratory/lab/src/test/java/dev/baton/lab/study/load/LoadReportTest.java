package dev.baton.lab.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.MemoryBudget;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadReportTest {
    private static TrialResult trial(MemoryBudget budget, boolean isProvisional) {
        TrialPlan open = FixedResults.plan("disruptor", "cooperative:1", "default");
        TrialPlan plan = new TrialPlan(
                        "closed",
                        open.subject(),
                        open.shape(),
                        Load.closed(50, 1),
                        open.loops(),
                        open.phases(),
                        open.limits())
                .asking(new LoadStudy(LoadStudy.Way.CHAIN, null, budget, null, null), List.of());
        return FixedResults.result(
                isProvisional ? plan.provisional() : plan,
                14_000,
                new Delivery(10_000, 10_000, 0, 0, 0, 0, 0, 0, List.of(), 0),
                new Outcome(Verdict.PASS, List.of()));
    }

    private static String report(TrialResult trial) {
        List<String> lines =
                LoadReport.lines(List.of(trial), Path.of("/results/load"), new Terminal(false, false, 100, false));
        assertThat(lines).allMatch(line -> line.length() <= 100);
        return String.join("\n", lines);
    }

    @Test
    void figuresAreMarkedAsClosedLoop() {
        assertThat(report(trial(null, false)))
                .contains("50 requests in flight through 5 services", "service time, closed loop: each")
                .contains("disruptor, service time, closed loop, requests")
                .contains("p10", "(14.0 us)", "450 ms", "not reached", "98.0 MiB", "2.50 %")
                .contains("files: /results/load")
                .doesNotContain("provisional", "memory: ");
    }

    @Test
    void memoryEnforcementAndExcessAreReported() {
        assertThat(report(trial(MemoryBudget.of(96 << 20, 0, false), true)))
                .startsWith("provisional (--quick)")
                .contains("memory: 96 MiB in all = heap ")
                .contains("disruptor: peak RSS 98 MiB is more than 96 MiB");
        assertThat(report(trial(MemoryBudget.of(128 << 20, 0, true), false)))
                .contains("a control group limits the whole process")
                .doesNotContain("is more than");
    }

    @Test
    void publishedServicesStandBesideServicesAlone() {
        LoadKind kind = new LoadKind();
        assertThat(kind.published(trial(null, false).plan())).isEmpty();
        assertThat(kind.published(
                        trial(MemoryBudget.of(96 << 20, 0, false), false).plan()))
                .isNotEmpty();
    }

    @Test
    void barsAreProportionalAndVisible() {
        assertThat(LoadReport.length(0, 100, 50)).isZero();
        assertThat(LoadReport.length(1, 1_000_000, 50)).isEqualTo(1);
        assertThat(LoadReport.length(500, 1_000, 50)).isEqualTo(25);
        assertThat(LoadReport.length(1_000, 1_000, 50)).isEqualTo(50);
    }

    @Test
    void findingsAndStudySurviveTheirFile() {
        TrialResult trial = trial(MemoryBudget.of(128 << 20, 3, true), false);
        TrialResult read = Json.parse(Json.line(trial), TrialResult.class);
        assertThat(read).isEqualTo(trial);
        assertThat(read.findings()).isInstanceOf(LoadFindings.class);
        String older = Json.line(FixedResults.plan("disruptor", "cooperative:1", "default"))
                .replace(",\"concurrency\":0", "");
        assertThat(older).doesNotContain("concurrency");
        assertThat(Json.parse(older, TrialPlan.class).load().isClosed()).isFalse();
    }
}
