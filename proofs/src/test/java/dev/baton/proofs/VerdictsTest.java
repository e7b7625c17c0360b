package dev.baton.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.baton.proofs.Verdicts.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads the output of jcstress 0.16. */
class VerdictsTest {
    private static final String PRINTED = """
              Failed tests: 1 matching test results.

            ...... [FAILED] dev.baton.engine.loop.LoopCommandProof

              Results across all configurations:

              RESULT  SAMPLES     FREQ      EXPECT  DESCRIPTION
                   0       12   <0.01%   Forbidden  Neither: what waits for it waits in vain.
                   1  259,329   54.02%  Acceptable  Answered.

              Error tests: No matches.

            .......... [OK] dev.baton.measuring.SharedRecorderProof

              RESULT  SAMPLES     FREQ      EXPECT  DESCRIPTION
                0, 0    1,268  100.00%  Acceptable  Every value came out once, in an interval at rest.
                0, 1        0    0.00%   Forbidden  A value was lost.
            """;

    @Test
    void proofsAreParsedWithSamplesAndTable() {
        List<Verdict> verdicts = Verdicts.of(PRINTED).all();
        assertThat(verdicts)
                .extracting(Verdict::proof, Verdict::isHeld, Verdict::samples)
                .containsExactly(
                        tuple("dev.baton.engine.loop.LoopCommandProof", false, 259_341L),
                        tuple("dev.baton.measuring.SharedRecorderProof", true, 1_268L));
        assertThat(verdicts.get(0).table()).hasSize(2);
    }

    @Test
    void textWithoutResultsHasNone() {
        assertThat(Verdicts.of("FATAL: No matching tests.\n").all()).isEmpty();
    }
}
