package dev.baton.lab.study.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.study.selftest.Proof.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of cases that the machine spoils. */
class ProofTest {
    private static final List<Case> ONE = List.of(Case.of(SelftestCase.OMISSION));

    /** A laboratory whose first rounds are both wrong and disturbed. */
    private static final class Spoilt implements TestedLaboratory {
        private final int rounds;
        private final TestedLaboratory broken = new ModelLaboratory(Flaw.MOVED_SEND_TIMES);
        private final TestedLaboratory honest = new ModelLaboratory(null);
        private int asked;

        Spoilt(int rounds) {
            this.rounds = rounds;
        }

        @Override
        public Map<String, TrialEvidence> measure(Collection<TrialPlan> plans, int round) {
            asked++;
            if (round > rounds) {
                return honest.measure(plans, round);
            }
            Map<String, TrialEvidence> all = new LinkedHashMap<>();
            broken.measure(plans, round).forEach((id, each) -> all.put(id, disturbed(each)));
            return all;
        }

        private static TrialEvidence disturbed(TrialEvidence each) {
            SelftestFindings quiet = each.witness();
            List<Long> lost =
                    Collections.nCopies(quiet.disturbedNanos().size(), TrialEvidence.MOST_DISTURBED_NANOS + 1);
            return new TrialEvidence(
                    each.plan(),
                    FixedResults.with(
                            each.result(),
                            new SelftestFindings(
                                    quiet.pid(), quiet.sent(), quiet.handedOut(), quiet.bunched(), lost, lost, null)),
                    each.response(),
                    each.service(),
                    each.sendDelay(),
                    each.stop());
        }

        @Override
        public Duration kafkaPollWait(TrialPlan plan) {
            return Duration.ofMillis(1);
        }

        @Override
        public long pid() {
            return 1;
        }
    }

    @Test
    void spoiltCaseIsRepeated() {
        Spoilt laboratory = new Spoilt(2);

        assertThat(new Proof(laboratory, () -> false).of(ONE, SelftestPlans::named))
                .singleElement()
                .satisfies(answer -> {
                    assertThat(answer.state()).isEqualTo(Answer.State.PASS);
                    assertThat(answer.round()).isEqualTo(3);
                });
    }

    @Test
    void alwaysSpoiltCaseIsInconclusive() {
        Spoilt laboratory = new Spoilt(Integer.MAX_VALUE);

        assertThat(new Proof(laboratory, () -> false).of(ONE, SelftestPlans::named))
                .singleElement()
                .satisfies(answer -> {
                    assertThat(answer.state()).isEqualTo(Answer.State.INCONCLUSIVE);
                    assertThat(laboratory.asked).isEqualTo(Proof.MOST_ROUNDS);
                });
    }

    @Test
    void noMachineExcusesFaultsOfTheSystem() {
        Case lossy = new Case(
                SelftestCase.LOSSES,
                List.of(SelftestPlans.STALLS),
                "none",
                (all, laboratory) -> List.of(Check.ownFaults("lost without faults", 3)));
        Spoilt laboratory = new Spoilt(Integer.MAX_VALUE);

        assertThat(new Proof(laboratory, () -> false).of(List.of(lossy), SelftestPlans::named))
                .singleElement()
                .satisfies(answer -> assertThat(answer.state()).isEqualTo(Answer.State.FAIL));
    }

    @Test
    void toleranceIsBoundedOnSlowMachine() {
        Prediction.Tolerance tolerance = Prediction.Tolerance.of(
                new Spoilt(1)
                        .measure(List.of(SelftestPlans.named(SelftestPlans.STALLS)), 1)
                        .get(SelftestPlans.STALLS),
                0);

        assertThat(tolerance.lateNanos()).isEqualTo(Prediction.Tolerance.MOST_LATE_NANOS);
        assertThat(tolerance.displaced()).isEqualTo(31); // of 1,000 messages a second
    }

    @Test
    void missingResultLeavesCasesUnanswered() {
        TestedLaboratory idle = new TestedLaboratory() {
            @Override
            public Map<String, TrialEvidence> measure(Collection<TrialPlan> plans, int round) {
                return Map.of();
            }

            @Override
            public Duration kafkaPollWait(TrialPlan plan) {
                return Duration.ZERO;
            }

            @Override
            public long pid() {
                return 1;
            }
        };

        assertThat(new Proof(idle, () -> false).of(ONE, SelftestPlans::named))
                .extracting(Answer::state)
                .containsExactly(Answer.State.MISSING);
    }
}
