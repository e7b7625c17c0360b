package dev.baton.manage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.manage.StorageWatch.StorageGrowth;
import dev.baton.spi.Transport.StorageUse;
import dev.baton.spi.errors.TransportException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** How fast topics fill their disk. */
class StorageWatchTest {
    private static final long GIGA = 1L << 30;

    private Optional<StorageUse> use = Optional.empty();
    private int asked;
    private long nanos = -5; // as System.nanoTime may be
    private final StorageWatch watch = StorageWatch.of("disk", () -> {
        asked++;
        return use;
    });

    /** Looks after some minutes. */
    private StorageGrowth after(long minutes, long bytes, long freeBytes) {
        nanos += TimeUnit.MINUTES.toNanos(minutes);
        use = Optional.of(new StorageUse(bytes, freeBytes));
        watch.sample(nanos);
        return watch.known().orElseThrow();
    }

    @Test
    void growthIsKnownAfterAMinute() {
        assertThat(after(0, GIGA, 100 * GIGA)).isEqualTo(new StorageGrowth(GIGA, 100 * GIGA, null, null));
        assertThat(after(6, 2 * GIGA, 99 * GIGA))
                .isEqualTo(new StorageGrowth(2 * GIGA, 99 * GIGA, 10 * GIGA, TimeUnit.MINUTES.toSeconds(594)));
        assertThat(watch.watched()).isEqualTo(Duration.ofMinutes(6));
    }

    @Test
    void samplesOlderThanAnHourDoNotCount() {
        after(0, 0, 100 * GIGA);
        after(60, 50 * GIGA, 50 * GIGA);
        assertThat(after(60, 50 * GIGA, 50 * GIGA)).isEqualTo(new StorageGrowth(50 * GIGA, 50 * GIGA, 0L, null));
    }

    @Test
    void whatOtherProgramsTakeFillsDiskAsWell() {
        after(0, GIGA, 10 * GIGA);
        assertThat(after(60, GIGA, 5 * GIGA)).isEqualTo(new StorageGrowth(GIGA, 5 * GIGA, 0L, 3_600L));
    }

    @Test
    void topicsThatShrinkFillNothing() {
        after(0, 3 * GIGA, 10 * GIGA);
        assertThat(after(60, GIGA, 12 * GIGA)).isEqualTo(new StorageGrowth(GIGA, 12 * GIGA, -2 * GIGA, null));
    }

    @Test
    void samplesAreAtLeastThirtySecondsApart() {
        use = Optional.of(new StorageUse(GIGA, GIGA));
        for (int i = 0; i < 100; i++) {
            assertThat(watch.growth()).isPresent();
        }
        assertThat(asked).isLessThanOrEqualTo(10);
    }

    @Test
    void whatWasKnownStaysWhereTransportCannotTell() {
        StorageWatch failing = StorageWatch.of("disk", () -> {
            if (asked++ > 0) {
                throw new TransportException("no disk");
            }
            return Optional.of(new StorageUse(GIGA, GIGA));
        });
        failing.sample(0);
        failing.sample(TimeUnit.MINUTES.toNanos(1));
        assertThat(asked).isEqualTo(2);
        assertThat(failing.known()).contains(new StorageGrowth(GIGA, GIGA, null, null));

        watch.sample(0);
        assertThat(watch.known()).as("of a transport without a disk").isEmpty();
    }

    @Test
    void jmxShowsItUntilItIsTakenAway() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ManagedStorage managed = ManagedStorage.register(watch);
        ObjectName name = new ObjectName("dev.baton:type=Storage,name=disk");
        assertThat(new ObjectName(managed.name())).isEqualTo(name);
        assertThatThrownBy(() -> ManagedStorage.register(watch))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another watch of this JVM has the name; give this one another");
        assertThat(server.getAttribute(name, "Bytes")).isEqualTo(-1L);
        assertThat(server.getAttribute(name, "SecondsUntilFull")).isEqualTo(-1L);
        assertThat(server.getAttribute(name, "GrowthKnown")).isEqualTo(false);

        nanos = System.nanoTime(); // two samples that are newer than any that a reading takes
        after(60, GIGA, 10 * GIGA);
        after(60, 2 * GIGA, 9 * GIGA);
        assertThat(server.getAttribute(name, "Bytes")).isEqualTo(2 * GIGA);
        assertThat(server.getAttribute(name, "FreeBytes")).isEqualTo(9 * GIGA);
        assertThat(server.getAttribute(name, "GrowthKnown")).isEqualTo(true);
        assertThat(server.getAttribute(name, "BytesPerHour")).isEqualTo(GIGA);
        assertThat(server.getAttribute(name, "SecondsUntilFull")).isEqualTo(9 * 3_600L);
        managed.close();
        managed.close();
        assertThat(server.isRegistered(name)).isFalse();
    }
}
