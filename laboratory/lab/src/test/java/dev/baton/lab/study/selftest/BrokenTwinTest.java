package dev.baton.lab.study.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.study.selftest.Proof.Answer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The self-test put to the test: an honest laboratory passes, and each flaw is noticed by the case that is about it. */
class BrokenTwinTest {
    private static List<Answer> proof(Flaw flaw, EnumSet<SelftestCase> cases) {
        return new Proof(new ModelLaboratory(flaw), () -> false)
                .of(cases.stream().map(Case::of).toList(), SelftestPlans::named);
    }

    @Test
    void anHonestLaboratoryPassesEveryCase() {
        assertThat(proof(null, EnumSet.allOf(SelftestCase.class)))
                .hasSize(SelftestCase.values().length)
                .allSatisfy(answer -> {
                    assertThat(answer.checks())
                            .isNotEmpty()
                            .allSatisfy(check -> assertThat(check.holds())
                                    .as(answer.name() + " " + check)
                                    .isTrue());
                    assertThat(answer.state()).isEqualTo(Answer.State.PASS);
                });
    }

    @ParameterizedTest
    @EnumSource(Flaw.class)
    void flawFailsItsCase(Flaw flaw) {
        assertThat(proof(flaw, EnumSet.of(flaw.noticedBy()))).singleElement().satisfies(answer -> {
            assertThat(answer.state()).isEqualTo(Answer.State.FAIL);
            assertThat(answer.shown().holds()).isFalse();
        });
    }

    @Test
    void everyCaseHasATwinThatFailsIt() {
        assertThat(Arrays.stream(Flaw.values()).map(Flaw::noticedBy)).containsOnly(SelftestCase.values());
    }
}
