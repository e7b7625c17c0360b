package dev.baton.lab.study.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.soak.Trend.Judgement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoakVerdictTest {
    private static final Outcome PASSED = new Outcome(Verdict.PASS, List.of());

    @Test
    void tooShortSoakIsInconclusive() {
        Outcome outcome = TrendJudge.outcome(PASSED, trends(6), null);
        assertThat(outcome.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(outcome.reasons())
                .containsExactly("too few points to judge messages in flight, p50 response, p99 response, CPU of the"
                        + " JVM: run longer");
    }

    @Test
    void unmeasurableQuantitiesAreIgnored() {
        Outcome outcome = TrendJudge.outcome(PASSED, trends(60), null);
        assertThat(outcome).isEqualTo(PASSED);
    }

    @Test
    void incompleteCountingIsInconclusive() {
        Outcome outcome = TrendJudge.outcome(PASSED, trends(60), "java.lang.OutOfMemoryError: Java heap space");
        assertThat(outcome.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(outcome.reasons())
                .containsExactly(
                        "the resources were not counted to the end: java.lang.OutOfMemoryError: Java heap space");
    }

    @Test
    void growthFailsShortSoak() {
        Trend grows = new Trend("threads", Trend.Unit.COUNT, List.of(), 1, 1, 0, 0, Judgement.GROWS, "");
        Outcome outcome = TrendJudge.outcome(PASSED, List.of(grows, trends(6).get(11)), "broken");
        assertThat(outcome.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcome.reasons()).containsExactly("threads grows");
    }

    @Test
    void chainsThatFailedStayFailed() {
        Outcome failed = new Outcome(Verdict.FAIL, List.of("3 messages are lost"));
        assertThat(TrendJudge.outcome(failed, trends(6), null).verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void soakThatTheHostDisturbedStillBlamesIt() {
        Outcome disturbed = new Outcome(Verdict.INCONCLUSIVE, List.of("the host withheld 9 %"), true);
        assertThat(TrendJudge.outcome(disturbed, trends(60), null)).isEqualTo(disturbed);
    }

    /** Of seconds in which nothing but latency and CPU was measured, all of them steady. */
    private static List<Trend> trends(int seconds) {
        return new TrendJudge(seconds * 1_000_000_000L, 0.0, Map.of())
                .judge(IntStream.rangeClosed(1, seconds)
                        .mapToObj(i -> new Second(
                                i * 1_000_000_000L, 1, 1, 1_000L, 2_000L, 3_000L, 0.5, null, 0.0, 0.3, 1L, 1L, null))
                        .toList());
    }
}
