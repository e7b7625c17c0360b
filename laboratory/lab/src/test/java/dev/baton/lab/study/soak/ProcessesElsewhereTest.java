package dev.baton.lab.study.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.results.RemoteProcess;
import dev.baton.lab.results.ResourceUsage;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ProcessesElsewhereTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void leakOfDescriptorsFailsTheSoak() {
        TrialResult judged = judged(process("h1:80", 30, point -> 50), process("h2:80", 30, point -> 50 + point));

        assertThat(judged.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(judged.outcome().reasons()).containsExactly("h2:80: descriptors grows");
        SoakFindings found = (SoakFindings) judged.findings();
        assertThat(found.growing()).extracting(Trend::quantity).containsExactly("descriptors");
        assertThat(found.elsewhere())
                .extracting(SoakFindings.OfProcess::address)
                .containsExactly("h1:80", "h2:80");
    }

    @Test
    void processesThatHoldNoMoreThanBeforePass() {
        assertThat(judged(process("h1:80", 30, point -> 50)).outcome().verdict())
                .isEqualTo(Verdict.PASS);
    }

    @Test
    void untouchedHeapIsNotJudged() {
        Trend memory = ((SoakFindings) judged(process("h1:80", 30, point -> 50)).findings())
                .elsewhere().get(0).trends().stream()
                        .filter(trend -> trend.quantity().equals("memory, anonymous"))
                        .findFirst()
                        .orElseThrow();
        assertThat(memory.judgement()).isEqualTo(Trend.Judgement.NOT_JUDGED);
        assertThat(memory.grown()).isPositive();
    }

    @Test
    void silentProcessMakesSoakInconclusive() {
        TrialResult judged = judged(process("h1:80", 20, point -> 50));
        assertThat(judged.outcome().verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(judged.outcome().reasons())
                .containsExactly(
                        "the resources were not counted to the end: h1:80 answered for 67 % of the time, or was"
                                + " started again");
    }

    /** Of a measurement of 30 seconds. */
    private static TrialResult judged(RemoteProcess... processes) {
        SoakFindings own = new SoakFindings(30, "", List.of(), List.of());
        return TrendJudge.judged(
                FixedResults.with(FixedResults.passed("kafka", 1_000), own).with(List.of(processes)));
    }

    private static RemoteProcess process(String address, int seconds, LongUnaryOperator descriptors) {
        List<Second> timeline = LongStream.rangeClosed(1, seconds)
                .mapToObj(point -> Second.ofProcess(point * SECOND, 0.2, held(point, descriptors.applyAsLong(point))))
                .toList();
        return new RemoteProcess(
                address, "h", "17", 2, List.of("s1"), seconds * SECOND, 0.2, 0.3, 0.0, 100, null, 0, 0, timeline);
    }

    private static ResourceUsage held(long point, long descriptors) {
        return new ResourceUsage(point << 20, null, 9L << 20, 1L << 20, descriptors, null, 20L, null, null);
    }
}
