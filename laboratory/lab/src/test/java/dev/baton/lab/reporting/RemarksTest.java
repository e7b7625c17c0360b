package dev.baton.lab.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.Subject;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemarksTest {
    private static final String WHOLE =
            "other processes used 159 % of a core, and took 60 % of the CPU time that the trial requested";

    private final TrialResult quiet = FixedResults.passed("disruptor", 43_000);
    private final TrialResult crowded = FixedResults.crowded(FixedResults.passed("kafka", 43_000), 1.59, 0.6);

    @Test
    void fewDisturbedTrialsHaveALineEach() {
        assertThat(Remarks.onOtherProcesses(List.of(quiet, crowded)))
                .containsExactly("disturbed: while kafka was measured, " + WHOLE + "; repeat it on a quiet machine");
        assertThat(Remarks.onOtherProcesses(List.of(quiet))).isEmpty();
    }

    @Test
    void systemsBesideChainsAreExplained() {
        TrialResult system = FixedResults.result(
                FixedResults.plan(Subject.SYSTEM, "my-queue", "cooperative:1", "default"),
                43_000,
                quiet.delivery(),
                quiet.outcome());
        assertThat(Remarks.onSystems(List.of(quiet, system)))
                .singleElement()
                .asString()
                .startsWith("my-queue system: no services, ");
        assertThat(Remarks.onSystems(List.of(quiet))).isEmpty();
        assertThat(Remarks.onSystems(List.of(system))).isEmpty();
    }

    @Test
    void lateMarksAreExplainedOnce() {
        TrialResult late = FixedResults.responding(quiet, 30_000, 300, 20_000_000);
        assertThat(Remarks.onLateSends(List.of(late, quiet, late)))
                .singleElement()
                .asString()
                .startsWith("*: ");
        assertThat(Remarks.onLateSends(List.of(quiet))).isEmpty();
    }

    @Test
    void manyDisturbedTrialsShareALine() {
        List<TrialResult> five = Collections.nCopies(5, crowded);
        assertThat(Remarks.onOtherProcesses(five, trial -> "x"))
                .containsExactly(
                        "disturbed: while 5 of 5 trials were measured, other processes used 159 % to 159 % of a"
                                + " core, and took up to 60 % of the CPU time that the trial requested; repeat them on a quiet"
                                + " machine");
    }
}
