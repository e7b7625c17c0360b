package dev.baton.lab.study.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.trial.StartedWindow;
import dev.baton.lab.trial.ends.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ResourceSeriesTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void failureOfCountingIsKept() {
        Window window = StartedWindow.at(System.nanoTime(), 0, 100 * SECOND, 0);
        ResourceSeries series = new ResourceSeries(
                window,
                100 * SECOND,
                100,
                () -> {
                    throw new OutOfMemoryError("none left");
                },
                () -> {});
        series.close();
        assertThat(series.failure()).isEqualTo("java.lang.OutOfMemoryError: none left");
        assertThat(series.size()).isZero();
    }

    @Test
    void countingThatWasEndedHasNotFailed() {
        Window window = StartedWindow.at(System.nanoTime(), 0, 100 * SECOND, 0);
        ResourceSeries series = new ResourceSeries(window, 100 * SECOND, 100, () -> null, () -> {});
        series.close();
        assertThat(series.failure()).isNull();
    }
}
