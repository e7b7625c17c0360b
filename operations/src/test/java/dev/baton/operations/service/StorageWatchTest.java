package dev.baton.operations.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.StorageUse;
import dev.baton.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How fast topics fill their disk, and when that is worth a line. */
class StorageWatchTest {
    private static final long GIGA = 1L << 30;

    private final List<String> log = new ArrayList<>();
    private final StorageWatch watch = new StorageWatch(Duration.ofHours(24), log::add);
    private long nanos = -5; // as System.nanoTime may be

    /** Looks after some minutes. */
    private StorageGrowth after(long minutes, long bytes, long freeBytes) {
        nanos += TimeUnit.MINUTES.toNanos(minutes);
        watch.sample(() -> Optional.of(new StorageUse(bytes, freeBytes)), nanos);
        return watch.growth();
    }

    @Test
    void growthIsKnownAfterAMinute() {
        assertThat(after(0, GIGA, 100 * GIGA)).isEqualTo(new StorageGrowth(GIGA, 100 * GIGA, null, null));
        assertThat(after(6, 2 * GIGA, 99 * GIGA))
                .isEqualTo(new StorageGrowth(2 * GIGA, 99 * GIGA, 10 * GIGA, TimeUnit.MINUTES.toSeconds(594)));
    }

    @Test
    void whatIsLongerAgoThanAnHourDoesNotCount() {
        after(0, 0, 100 * GIGA);
        after(60, 50 * GIGA, 50 * GIGA);
        assertThat(after(60, 50 * GIGA, 50 * GIGA)).isEqualTo(new StorageGrowth(50 * GIGA, 50 * GIGA, 0L, null));
    }

    @Test
    void whatOtherProgramsTakeFillsTheDiskAsWell() {
        after(0, GIGA, 10 * GIGA);
        assertThat(after(60, GIGA, 5 * GIGA)).isEqualTo(new StorageGrowth(GIGA, 5 * GIGA, 0L, 3_600L));
    }

    @Test
    void topicsThatShrinkFillNothing() {
        after(0, 3 * GIGA, 10 * GIGA);
        assertThat(after(60, GIGA, 12 * GIGA)).isEqualTo(new StorageGrowth(GIGA, 12 * GIGA, -2 * GIGA, null));
        assertThat(log).isEmpty();
    }

    @Test
    void aDiskThatIsFullWithinTheTimeIsAWarningOnceAnHour() {
        after(0, 0, 100 * GIGA);
        after(60, GIGA, 99 * GIGA);
        assertThat(log).as("full in 99 hours").isEmpty();

        after(30, 5 * GIGA, 95 * GIGA);
        assertThat(log)
                .singleElement()
                .asString()
                .startsWith("WARNING: the disk of the topics is full in ")
                .contains("they take 5.00 GiB and grow by ", "95.0 GiB are left", "docs/operations.md");
        after(59, 11 * GIGA, 89 * GIGA);
        assertThat(log).hasSize(1);
        after(1, 12 * GIGA, 88 * GIGA);
        assertThat(log).hasSize(2);
    }

    @Test
    void aMinuteIsNoReasonToWarnOfWhatIsHoursAway() {
        after(0, 0, 100 * GIGA);
        assertThat(after(1, GIGA, 99 * GIGA).secondsUntilFull()).isEqualTo(TimeUnit.MINUTES.toSeconds(99));
        assertThat(log).isEmpty();
        after(1, 2 * GIGA, 98 * GIGA);
        assertThat(log).hasSize(1);
    }

    @Test
    void aTransportThatCannotTellIsAskedOnAndSaysWhyOnce() {
        for (int i = 0; i < 2; i++) {
            watch.sample(
                    () -> {
                        throw new TransportException("no disk");
                    },
                    i);
        }
        watch.sample(Optional::empty, 3);
        assertThat(log).containsExactly("no disk");
        assertThat(watch.growth()).isNull();
    }
}
