package dev.baton.kafka.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicReader;
import org.junit.jupiter.api.Test;

class SequenceRunsTest {
    private final SequenceRuns runs = new SequenceRuns();

    @Test
    void frameIsFoundByOffsetBehindMarkers() {
        runs.consumed(10, 5);
        runs.consumed(11, 6);
        runs.consumed(13, 7); // 12 is a marker
        runs.consumed(17, 8);
        assertThat(runs.sequenceAt(10)).isEqualTo(5);
        assertThat(runs.sequenceAt(11)).isEqualTo(6);
        assertThat(runs.sequenceAt(12)).as("the frame before the marker").isEqualTo(6);
        assertThat(runs.sequenceAt(13)).isEqualTo(7);
        assertThat(runs.sequenceAt(16)).isEqualTo(7);
        assertThat(runs.sequenceAt(17)).isEqualTo(8);
    }

    @Test
    void whatWasNotConsumedIsUnknown() {
        assertThat(runs.sequenceAt(0)).isEqualTo(TopicReader.UNKNOWN);
        runs.consumed(10, 5);
        assertThat(runs.sequenceAt(9)).isEqualTo(TopicReader.UNKNOWN);
        assertThat(runs.sequenceAt(11)).isEqualTo(TopicReader.UNKNOWN);
    }

    @Test
    void acknowledgedFramesAreForgottenOthersKept() {
        for (long i = 1; i <= 100; i++) {
            runs.consumed(3 * i, i);
            runs.forgetBefore(3 * (i - 2));
        }
        assertThat(runs.sequenceAt(300)).isEqualTo(100);
        assertThat(runs.sequenceAt(294)).isEqualTo(98);
        assertThat(runs.sequenceAt(150)).isEqualTo(TopicReader.UNKNOWN);
    }

    @Test
    void ofTooManyRunsTheOldestAreForgotten() {
        int all = SequenceRuns.MOST + 10;
        for (long i = 1; i <= all; i++) {
            runs.consumed(2 * i, i);
        }
        assertThat(runs.sequenceAt(2)).isEqualTo(TopicReader.UNKNOWN);
        assertThat(runs.sequenceAt(22)).isEqualTo(11);
        assertThat(runs.sequenceAt(2L * all)).isEqualTo(all);
    }
}
