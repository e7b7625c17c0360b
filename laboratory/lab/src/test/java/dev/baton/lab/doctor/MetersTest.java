package dev.baton.lab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.machine.KernelTree;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is measured, on whatever machine this runs. */
class MetersTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    private Path directory;

    @Test
    void pausesAndWakeUpsAreMeasured() {
        Wakes wakes = Wakes.measure(KernelTree.OF_THIS_MACHINE, 100 * MILLI, () -> false);
        assertThat(wakes.pauses().count()).isPositive();
        assertThat(wakes.pauses().p50Nanos()).isGreaterThanOrEqualTo(Wakes.PAUSE_NANOS);
        assertThat(wakes.wakes().count())
                .isBetween(wakes.pauses().count() - 1, wakes.pauses().count());
        assertThat(wakes.wakes().p50Nanos()).isPositive();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("baton-doctor-sleeper"));
    }

    @Test
    void appendsAreMeasured() throws IOException {
        Appends appends = Appends.measure(directory, Path.of("/asked"), 20 * MILLI, () -> false);
        assertThat(appends.directory()).isEqualTo("/asked");
        assertThat(appends.fileSystem()).isNotBlank();
        assertThat(appends.mapped().count()).isGreaterThanOrEqualTo(1_024);
        assertThat(appends.trouble()).isNull();
        assertThat(appends.queue().count()).isPositive();
        assertThat(appends.queue().maxNanos())
                .isGreaterThanOrEqualTo(appends.queue().p50Nanos());
    }

    @Test
    void onceInterruptedNoQueueIsOpened() throws IOException {
        Appends appends = Appends.measure(directory, Path.of("/asked"), 20_000 * MILLI, () -> true);
        assertThat(appends.queue()).isNull();
        assertThat(directory.resolve("queue")).doesNotExist();
    }

    @Test
    void watchEndsInTimeOrWhenInterrupted() {
        Watch watch = Watch.over(KernelTree.OF_THIS_MACHINE, 2, 100 * MILLI, () -> false);
        assertThat(watch.stalls().watchedNanos()).isGreaterThanOrEqualTo(100 * MILLI);
        assertThat(watch.stalls().sleeps()).isPositive();
        assertThat(watch.competitors().users())
                .noneMatch(user -> user.pid() == ProcessHandle.current().pid());
        assertThat(Watch.over(KernelTree.OF_THIS_MACHINE, 2, 60_000 * MILLI, () -> true)
                        .stalls()
                        .watchedNanos())
                .isLessThan(30_000 * MILLI);
    }
}
