package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.trial.ends.Recognition.ByTag;
import dev.baton.lab.trial.ends.Window;
import org.junit.jupiter.api.Test;

class ByTagTest {
    private static final long START = -500;
    private static final long NOW = 1_000_000;

    private final ByTag recognition = new ByTag(started());

    private static Window started() {
        Window window = new Window(Window.LEAST_GRACE_NANOS);
        window.start(START, 0, 2 * NOW, NOW);
        return window;
    }

    @Test
    void lowerHalfIdentifiesNumbersAcrossOverflow() {
        long wrap = 1L << 32;
        assertThat(recognition.numberOf(10, (int) (wrap - 1), wrap - 2, NOW)).isEqualTo(wrap - 1);
        assertThat(recognition.numberOf(11, (int) wrap, wrap - 1, NOW)).isEqualTo(wrap);
        assertThat(recognition.numberOf(9, (int) (wrap - 3), wrap + 1, NOW)).isEqualTo(wrap - 3);
    }

    @Test
    void aMessageOutOfTurnIsKnown() {
        assertThat(recognition.numberOf(30, 2, 0, NOW)).isEqualTo(2);
        assertThat(recognition.numberOf(10, 0, 3, NOW)).isZero();
        assertThat(recognition.numberOf(30, 2, 3, NOW)).isEqualTo(2);
    }

    @Test
    void anOriginThatCannotBeIsSeen() {
        assertThat(recognition.numberOf(NOW + 1, 0, 0, NOW)).isEqualTo(-1);
        assertThat(recognition.numberOf(START - 1, 0, 0, NOW)).isEqualTo(-1);
        assertThat(recognition.numberOf(50, 0, 0, NOW)).isZero();
        assertThat(recognition.numberOf(50, 1, 1, NOW)).isEqualTo(-1);
        assertThat(recognition.numberOf(60, -1, 1, NOW)).isEqualTo(-1);
    }

    @Test
    void missingMessageIsChargedTheMost() {
        assertThat(recognition.originNanos(17)).isEqualTo(START);
        assertThat(recognition.sendDelayNanos(12_345)).isZero();
    }
}
