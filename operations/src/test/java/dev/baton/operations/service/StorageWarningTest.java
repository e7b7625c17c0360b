package dev.baton.operations.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.manage.StorageWatch.StorageGrowth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a disk that fills is worth a line. */
class StorageWarningTest {
    private static final long GIGA = 1L << 30;

    private final List<String> log = new ArrayList<>();
    private final StorageWarning warning = new StorageWarning(Duration.ofHours(24), log::add);
    private long nanos = -5; // as System.nanoTime may be

    private void after(long minutes, Duration watched, Duration untilFull) {
        nanos += TimeUnit.MINUTES.toNanos(minutes);
        Long seconds = untilFull == null ? null : untilFull.toSeconds();
        warning.check(new StorageGrowth(5 * GIGA, 95 * GIGA, GIGA, seconds), watched, nanos);
    }

    @Test
    void diskFullSoonWarnsOnceAnHour() {
        after(0, Duration.ofHours(1), null);
        after(1, Duration.ofHours(1), Duration.ofHours(99));
        assertThat(log).isEmpty();

        after(30, Duration.ofHours(1), Duration.ofHours(23));
        assertThat(log)
                .singleElement()
                .asString()
                .startsWith("WARNING: the disk of the topics is full in ")
                .contains("they take 5.00 GiB and grow by ", "95.0 GiB are left", "docs/operations.md");
        after(59, Duration.ofHours(1), Duration.ofHours(22));
        assertThat(log).hasSize(1);
        after(1, Duration.ofHours(1), Duration.ofHours(22));
        assertThat(log).hasSize(2);
    }

    @Test
    void otherFilesThatFillTheDiskAreNamed() {
        StorageGrowth growth = new StorageGrowth(
                5L << 30, 90L << 30, 1L << 30, Duration.ofHours(9).toSeconds());
        warning.check(growth, Duration.ofHours(1), 0);
        assertThat(log)
                .singleElement()
                .asString()
                .contains(
                        "grow by 1.00 GiB an hour, 90.0 GiB are left, which shrink by 10.0 GiB an hour, as other files");
    }

    @Test
    void shortObservationGivesNoDistantWarning() {
        after(1, Duration.ofMinutes(1), Duration.ofMinutes(99));
        assertThat(log).isEmpty();
        after(1, Duration.ofMinutes(2), Duration.ofMinutes(98));
        assertThat(log).hasSize(1);
    }
}
