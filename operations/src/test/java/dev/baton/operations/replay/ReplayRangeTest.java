package dev.baton.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReplayRangeTest {
    @Test
    void beginningOf1970IsAValidBound() {
        ReplayRange range = ReplayRange.of(null, "1970-01-01T00:00:00Z");
        assertThat(range.isBehind(1, 0)).isFalse();
        assertThat(range.isBehind(1, 1)).isTrue();
        assertThat(range.hasSequence()).isFalse();
    }
}
