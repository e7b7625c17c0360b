package dev.baton.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.matrix.MatrixReport;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** A matrix put together again from more trials than two digits can number. */
class GridTest {
    @Test
    void noiseOfAHundredRowsIsThatOfTheFirst() {
        List<TrialResult> trials = new ArrayList<>();
        for (int round = 1; round <= 2; round++) {
            for (int row = 1; row <= 101; row++) {
                String name = row == 101 ? "1-key-again" : row + "-key";
                trials.add(FixedResults.result(
                        FixedResults.plan("plain", "cooperative:1", "default")
                                .named(String.format(Locale.ROOT, "%02d.%d-%s", row, round, name)),
                        1_000 * row,
                        new Delivery(10, 10, 0, 0, 0, 0, 0, 0, List.of(), 0),
                        new Outcome(Verdict.PASS, List.of())));
            }
        }
        MatrixReport matrix = Grid.matrix(trials, Names.among(null, trials));
        assertThat(matrix.all().get(100).variant().name()).isEqualTo("1-key (again)");
        assertThat(matrix.comparisons()).allMatch(each -> Double.isFinite(each.noise()));
    }
}
