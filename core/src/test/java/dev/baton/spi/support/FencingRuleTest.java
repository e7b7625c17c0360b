package dev.baton.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Incarnation;
import org.junit.jupiter.api.Test;

/** Which incarnation counts, by the order of a log alone. */
class FencingRuleTest {
    private static final long FIRST = Incarnation.id(1, 7);
    private static final long SECOND = Incarnation.id(2, 3);
    private static final long RIVAL = Incarnation.id(2, 9);

    private final FencingRule fencing = new FencingRule();

    @Test
    void withoutMarkersWhatBearsNoIncarnationCounts() {
        assertThat(fencing.counts(0)).isTrue();
        assertThat(fencing.owner()).isZero();
    }

    @Test
    void behindAMarkerOnlyItsIncarnationCounts() {
        assertThat(fencing.announce(FIRST)).isTrue();
        assertThat(fencing.counts(FIRST)).isTrue();
        assertThat(fencing.announce(SECOND)).isTrue();
        assertThat(fencing.counts(FIRST)).isFalse();
        assertThat(fencing.counts(SECOND)).isTrue();
        assertThat(fencing.dropped()).isEqualTo(1);
    }

    @Test
    void laterMarkerOfTwoConcurrentWritersWins() {
        fencing.announce(RIVAL);
        assertThat(fencing.announce(SECOND)).isTrue();
        assertThat(fencing.counts(RIVAL)).isFalse();
    }

    @Test
    void newerWritersFrameTakesOverWithoutItsMarker() {
        assertThat(fencing.counts(FIRST)).isTrue();
        assertThat(fencing.counts(SECOND)).isTrue();
        assertThat(fencing.counts(FIRST)).isFalse();
    }

    @Test
    void firstWriterOfLogMayCountFromZero() {
        long first = Incarnation.id(0, 5);
        assertThat(fencing.counts(first)).isTrue();
        assertThat(fencing.owner()).isEqualTo(first);
    }

    @Test
    void positionInTheMiddleNamesItsWriter() {
        FencingRule from = new FencingRule(SECOND);
        assertThat(from.counts(FIRST)).isFalse();
        assertThat(from.counts(SECOND)).isTrue();
    }

    @Test
    void aMarkerThatWasOutdatedIsVoid() {
        fencing.announce(SECOND);
        assertThat(fencing.announce(FIRST)).isFalse();
        assertThat(fencing.counts(FIRST)).isFalse();
        assertThat(fencing.owner()).isEqualTo(SECOND);
    }
}
