package dev.baton.lab.study.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.reporting.StudyView.FurtherTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Cell;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoakReportTest {
    @Test
    void pagesHaveTheTrendsAndTheDuration() {
        Trend grows = new Trend(
                "threads", Trend.Unit.COUNT, List.of(1.0, 9.0), 60, 8, 0.5, 0.0001, Trend.Judgement.GROWS, "");
        TrialResult soak = FixedResults.with(
                FixedResults.passed("disruptor", 1_000), new SoakFindings(20, "a rule", List.of(grows), List.of()));
        SoakKind kind = new SoakKind();
        assertThat(kind.title(List.of(soak))).startsWith("soak of 30s after 10s of warm-up: ");
        assertThat(kind.answers(List.of(soak))).singleElement().asString().endsWith(", growing: threads.");
        FurtherTable table = kind.tables(List.of(soak), any -> "disruptor").get(0);
        assertThat(table.caption()).isEqualTo("Trends of disruptor, from 20 points");
        assertThat(table.rows().get(0).stream().map(Cell::text))
                .containsExactly("threads", "60", "8", "0.5", "0.0001", "GROWS");
        assertThat(table.notes()).containsExactly("Rule: a rule");
    }
}
