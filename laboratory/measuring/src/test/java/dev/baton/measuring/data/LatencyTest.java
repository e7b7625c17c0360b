package dev.baton.measuring.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LatencyTest {
    private static Latency of(long p50, Long p99) {
        return new Latency(
                1_000,
                1L,
                1.0,
                List.of(new Percentile(50, p50, 500, false, 0), new Percentile(99, p99, 10, true, 9)),
                p99,
                0,
                1_000_000);
    }

    @Test
    void moreThanTenthBeforeSendIsLate() {
        Latency marked = of(1_000, 2_000L).comparedWith(of(900, 1_799L));

        assertThat(marked.at(50).isSenderLate()).isFalse(); // exactly a tenth
        assertThat(marked.at(99).isSenderLate()).isTrue();
        assertThat(marked.at(99).hasFewSamples()).isTrue();
        assertThat(marked.nanosAt(99)).isEqualTo(2_000);
    }

    @Test
    void unknownPercentilesAreNotMarked() {
        assertThat(of(1, null).comparedWith(of(1, null)).at(99).isSenderLate()).isFalse();
        assertThat(of(9, 9L)
                        .comparedWith(new Latency(0, null, null, List.of(), null, 0, 1))
                        .at(50)
                        .isSenderLate())
                .isFalse();
    }
}
