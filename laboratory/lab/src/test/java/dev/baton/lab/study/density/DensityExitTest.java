package dev.baton.lab.study.density;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.operations.line.ExitCode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DensityExitTest {
    /** A search over a machine that holds some, and has room for long trials of no more than so many. */
    private static int exit(int capacity, int mostForLong, boolean isQuick) {
        Contender contender = Searches.contender("disruptor", "baton", 8, 1_000, null, mostForLong);
        new Searches().run(List.of(contender), Duration.ofHours(24), plan -> Searches.holding(plan, capacity));
        return contender.exitCode(isQuick);
    }

    @Test
    void aBracketThatRestsOnEnoughIsConclusive() {
        assertThat(exit(10, 1_000, false)).isEqualTo(ExitCode.OK);
    }

    @Test
    void provisionalBracketIsInconclusiveUnlessQuick() {
        assertThat(exit(10, 10, false)).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(exit(10, 1, false)).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(exit(10, 1, true)).isEqualTo(ExitCode.OK);
    }

    @Test
    void notEvenOneIsAFailure() {
        assertThat(exit(0, 1_000, false)).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void provisionalFailureOfOneIsInconclusive() {
        assertThat(exit(0, 0, false)).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(exit(0, 0, true)).isEqualTo(ExitCode.FAILED);
    }
}
