package dev.baton.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Incarnation;
import org.junit.jupiter.api.Test;

/** Which incarnation counts, by the order of a log alone. */
class SuccessionTest {
    private static final long FIRST = Incarnation.id(1, 7);
    private static final long SECOND = Incarnation.id(2, 3);
    private static final long RIVAL = Incarnation.id(2, 9);

    private final Succession succession = new Succession();

    @Test
    void withoutMarkersWhatBearsNoIncarnationCounts() {
        assertThat(succession.counts(0)).isTrue();
        assertThat(succession.owner()).isZero();
    }

    @Test
    void behindAMarkerOnlyItsIncarnationCounts() {
        assertThat(succession.announce(FIRST)).isTrue();
        assertThat(succession.counts(FIRST)).isTrue();
        assertThat(succession.announce(SECOND)).isTrue();
        assertThat(succession.counts(FIRST)).isFalse();
        assertThat(succession.counts(SECOND)).isTrue();
        assertThat(succession.dropped()).isEqualTo(1);
    }

    @Test
    void ofTwoThatBeganAtOnceTheLaterMarkerWins() {
        succession.announce(RIVAL);
        assertThat(succession.announce(SECOND)).isTrue();
        assertThat(succession.counts(RIVAL)).isFalse();
    }

    @Test
    void aFrameOfANewerWriterTakesOverWhereItsMarkerWasRemoved() {
        assertThat(succession.counts(FIRST)).isTrue();
        assertThat(succession.counts(SECOND)).isTrue();
        assertThat(succession.counts(FIRST)).isFalse();
    }

    @Test
    void theFirstWriterOfALogMayCountFromZero() {
        long first = Incarnation.id(0, 5);
        assertThat(succession.counts(first)).isTrue();
        assertThat(succession.owner()).isEqualTo(first);
    }

    @Test
    void aPlaceInTheMiddleNamesTheWriterOfThere() {
        Succession from = new Succession(SECOND);
        assertThat(from.counts(FIRST)).isFalse();
        assertThat(from.counts(SECOND)).isTrue();
    }

    @Test
    void aMarkerThatWasOutdatedIsVoid() {
        succession.announce(SECOND);
        assertThat(succession.announce(FIRST)).isFalse();
        assertThat(succession.counts(FIRST)).isFalse();
        assertThat(succession.owner()).isEqualTo(SECOND);
    }
}
