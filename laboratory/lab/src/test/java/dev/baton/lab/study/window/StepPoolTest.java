package dev.baton.lab.study.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.request.Limit;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.window.WindowStudy.State;
import org.junit.jupiter.api.Test;

class StepPoolTest {
    private static final long MILLI = 1_000_000;

    @Test
    void noVerdictRestsOnTooFewSteps() {
        StepPool pool = pool("p99<10ms");
        add(pool, 9_999, 0, MILLI);
        assertThat(pool.judge(100)).isNull();
        add(pool, 1, 0, MILLI);
        assertThat(pool.judge(100)).isEqualTo(Verdict.PASS);
        assertThat(pool.trials).isEqualTo(2);
    }

    @Test
    void tooManyLateStepsDecideEarly() {
        StepPool pool = pool("p99<10ms");
        add(pool, 1_000, 100, 20 * MILLI);
        assertThat(pool.judge(100)).as("100 of 10,000 may lie above").isNull();
        add(pool, 100, 1, 20 * MILLI);
        assertThat(pool.judge(100)).isEqualTo(Verdict.FAIL);
    }

    @Test
    void percentileIsOfAllSteps() {
        StepPool pool = pool("p99<10ms");
        add(pool, 9_900, 0, MILLI);
        add(pool, 100, 100, 30 * MILLI); // by itself far over the limit
        assertThat(pool.judge(100)).isEqualTo(Verdict.PASS);
        assertThat(pool.figures().at(99).nanos()).isLessThan(2 * MILLI);
        assertThat(pool.figures().maxNanos()).isGreaterThanOrEqualTo(30 * MILLI);
    }

    @Test
    void everyStepHasToKeepTheMaximum() {
        StepPool pool = pool("p50<2ms,p100<50ms");
        add(pool, 1_000, 10, 30 * MILLI);
        assertThat(pool.judge(100)).isEqualTo(Verdict.PASS);
        add(pool, 1_000, 1, 50 * MILLI);
        assertThat(pool.judge(100)).isEqualTo(Verdict.FAIL);
    }

    @Test
    void trialSpoiltByForeignStallsIsIgnored() {
        StepPool pool = pool("p99<10ms");
        TrialResult late = FixedResults.responding(FixedResults.passed("plain", MILLI), 1_000, 12, 90 * MILLI);
        assertThat(pool.add(FixedResults.stalled(late, 111 * MILLI))).isFalse();
        assertThat(pool.trials).isZero();
        assertThat(pool.add(FixedResults.stalled(late, 109 * MILLI)))
                .as("99 ms over 10 ms, of 10 s")
                .isTrue();
        TrialResult kept = FixedResults.responding(FixedResults.passed("plain", MILLI), 1_000, 10, 90 * MILLI);
        assertThat(pool.add(FixedResults.stalled(kept, 500 * MILLI))).isTrue();
    }

    @Test
    void aStepAtTheLimitIsOverIt() {
        Limit limit = Limit.parse("p99<10ms").get(0);
        StepPool pool = pool("p99<10ms");
        add(pool, 10, 3, 10 * MILLI);
        add(pool, 10, 4, 9_900_000);
        assertThat(pool.over(limit)).isEqualTo(3);
    }

    private static StepPool pool(String limits) {
        return new StepPool(
                new WindowStudy(State.BOXED, 1, 100 * MILLI, 10 * MILLI, Limit.parse(limits), false, null, null));
    }

    private static void add(StepPool pool, long count, long slow, long nanos) {
        pool.add(FixedResults.responding(FixedResults.passed("plain", MILLI), count, slow, nanos));
    }
}
