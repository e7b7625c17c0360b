package dev.baton.lab.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictsTest {
    private static final Limit LIMIT = new Limit(99.9, 100_000_000);

    private static TrialResult trial(Verdict verdict, long lost, Limit... limits) {
        TrialPlan plan =
                FixedResults.plan("chronicle", "cooperative:1", "default").asking(null, List.of(limits));
        Delivery delivery = new Delivery(40_000, 40_000 - lost, lost, 0, 0, 0, 0, 0, List.of(), 0);
        return FixedResults.result(plan, 10_000, delivery, new Outcome(verdict, List.of()));
    }

    @Test
    void verdictsOnFewSamplesAreProvisional() {
        assertThat(Verdicts.word(trial(Verdict.PASS, 0, LIMIT.judgedOn(10)))).isEqualTo("PASS (provisional)");
        assertThat(Verdicts.word(trial(Verdict.FAIL, 0, LIMIT.judgedOn(10)))).isEqualTo("FAIL (provisional)");
        assertThat(Verdicts.word(trial(Verdict.PASS, 0, LIMIT))).isEqualTo("PASS");
        assertThat(Verdicts.word(trial(Verdict.PASS, 0))).isEqualTo("delivered");
    }

    @Test
    void failuresByRateOrDeliveryAreNotProvisional() {
        TrialResult slow = FixedResults.carrying(trial(Verdict.FAIL, 0, LIMIT.judgedOn(10)), 0.5);
        assertThat(Verdicts.word(slow)).isEqualTo("FAIL");
        assertThat(Verdicts.word(trial(Verdict.FAIL, 3, LIMIT.judgedOn(10)))).isEqualTo("FAIL");
        assertThat(Verdicts.word(trial(Verdict.INCONCLUSIVE, 0, LIMIT.judgedOn(10))))
                .isEqualTo("INCONCLUSIVE");
    }
}
