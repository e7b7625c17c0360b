package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.results.Explanation;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.LatencyRecorder;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Disturbance.Kind;
import dev.baton.measuring.data.Tail.Cause;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordingTest {
    private static final long HIGHEST = 60_000_000_000L;

    private final Recording recording = new Recording(HIGHEST);
    private final RecorderPool recorders = recording.recorders();
    private final LatencyHistograms total = recording.total();

    private Explanation explain(List<Disturbance> disturbances) {
        recorders.takeInterval(total);
        return recording.explain(99, disturbances, List.of(), 0);
    }

    @Test
    void longestDisturbancesAreListedInOrder() {
        List<Disturbance> many = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            many.add(new Disturbance(Kind.SAFEPOINT, i * 10_000L, 1 + i * 7_919 % 3_000, "made up"));
        }
        Explanation explanation = explain(many);

        assertThat(explanation.disturbances())
                .hasSize(Recording.MOST_LISTED)
                .isSubsetOf(many)
                .allMatch(each -> each.nanos() > 2_000);
        assertThat(explanation.disturbances())
                .isSortedAccordingTo((one, other) -> Long.compare(one.startNanos(), other.startNanos()));
        assertThat(explanation.omitted()).isEqualTo(2_000);
        assertThat(explanation.tail()).isNull();
    }

    @Test
    void disturbancesThatAreNotListedStillExplain() {
        LatencyRecorder recorder = recorders.forThisThread();
        List<Disturbance> many = new ArrayList<>();
        for (long i = 0; i < 2_000; i++) {
            boolean isSlow = i % 200 == 0;
            recorder.recordMessage(i * 1_000_000, 0, isSlow ? 100_000 + i : 1_000, i * 1_000_000);
            many.add(new Disturbance(Kind.GC, i * 1_000_000, isSlow ? 50_000 : 500_000, "made up"));
        }
        Explanation explanation = explain(many);

        assertThat(explanation.tail().messages()).isEqualTo(10);
        assertThat(explanation.tail().joined()).isEqualTo(10);
        assertThat(explanation.tail().shares().get(1).cause()).isEqualTo(Cause.GC);
        assertThat(explanation.tail().shares().get(1).part()).isBetween(0.49, 0.5);
    }

    @Test
    void missingMessagesAreInTailWithoutCause() {
        LatencyRecorder recorder = recorders.forThisThread();
        for (long i = 0; i < 990; i++) {
            recorder.recordMessage(i, 0, 1_000, i);
        }
        for (int i = 0; i < 10; i++) {
            total.recordResponse(5_000_000_000L);
        }
        Explanation explanation = explain(List.of());

        assertThat(explanation.tail().messages()).isEqualTo(10);
        assertThat(explanation.tail().joined()).isZero();
    }
}
