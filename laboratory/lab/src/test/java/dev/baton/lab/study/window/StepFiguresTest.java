package dev.baton.lab.study.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.HostActivity.Cause;
import dev.baton.measuring.data.HostActivity.Stall;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** A hundred steps of 10 ms that begin after 1 ms and are complete after 4, but for one that a stall of 30 ms hits. */
class StepFiguresTest {
    private static final long MILLI = 1_000_000;
    private static final int HIT = 50;

    @Test
    void stepsInForeignStallsAreSetAside() {
        WindowStudy.WindowFindings found = findings(new Stall(HIT * 10 * MILLI + 30 * MILLI, 30 * MILLI, Cause.HOST));
        assertThat(found.steps()).isEqualTo(100);
        assertThat(found.completion().count()).isEqualTo(100);
        assertThat(found.completion().maxNanos()).isGreaterThanOrEqualTo(34 * MILLI);
        assertThat(found.foreignStalls()).isEqualTo(1);
        assertThat(found.responseWithout().count())
                .as("50, 51 and 52 ended in the stall")
                .isEqualTo(97);
        assertThat(found.responseWithout().maxNanos()).isLessThan(2 * MILLI);
        assertThat(found.completionWithout().maxNanos()).isLessThan(5 * MILLI);
    }

    @Test
    void stallsOfOurOwnAreNotSetAside() {
        WindowStudy.WindowFindings found = findings(
                new Stall(HIT * 10 * MILLI + 30 * MILLI, 30 * MILLI, Cause.JVM),
                new Stall(HIT * 10 * MILLI + 30 * MILLI, 30 * MILLI, Cause.BUSY));
        assertThat(found.foreignStalls()).isZero();
        assertThat(found.responseWithout().count()).isEqualTo(100);
        assertThat(found.responseWithout().maxNanos()).isGreaterThan(30 * MILLI);
    }

    @Test
    void lateStepsAfterStallAreKept() {
        Stall overAtItsEnd = new Stall(HIT * 10 * MILLI, 30 * MILLI, Cause.OTHER_PROCESSES);
        WindowStudy.WindowFindings found = findings(overAtItsEnd);
        assertThat(found.responseWithout().maxNanos()).isGreaterThan(30 * MILLI);
    }

    private static WindowStudy.WindowFindings findings(Stall... stalls) {
        WindowStudy study =
                new WindowStudy(WindowStudy.State.BOXED, 1, 100 * MILLI, 10 * MILLI, List.of(), false, null, null);
        IntToLongFunction begun = step -> step == HIT ? 31 * MILLI : MILLI;
        StepFigures.Steps steps = new StepFigures.Steps(
                1, 100, step -> 7_000 * MILLI + step * 10L * MILLI, begun, step -> begun.applyAsLong(step) + 3 * MILLI);
        HostActivity host = new HostActivity(0.0, 0.0, 1.0, 0.0, null, 30 * MILLI, List.of(stalls));
        return new StepFigures(steps, study, host, 7_000 * MILLI, 3_600_000 * MILLI).findings(1);
    }
}
