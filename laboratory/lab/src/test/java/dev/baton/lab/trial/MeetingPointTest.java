package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.request.Place.Meeting;
import dev.baton.operations.line.CommandException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeetingPointTest {
    @TempDir
    private Path directory;

    @Test
    void processesWaitForTheLast() throws Exception {
        CompletableFuture<List<Long>> one =
                CompletableFuture.supplyAsync(() -> come(1, 3), MeetingPointTest::inAThread);
        CompletableFuture<List<Long>> two =
                CompletableFuture.supplyAsync(() -> come(2, 3), MeetingPointTest::inAThread);
        assertThat(come(3, 3)).containsExactlyInAnyOrder(1L, 2L);
        assertThat(one.get(10, TimeUnit.SECONDS)).containsExactlyInAnyOrder(2L, 3L);
        assertThat(two.get(10, TimeUnit.SECONDS)).containsExactlyInAnyOrder(1L, 3L);
    }

    @Test
    void stoppedProcessDoesNotWait() {
        MeetingPoint point = new MeetingPoint(new Meeting(directory.toString(), 2), 1);
        int[] looks = {0};
        assertThat(point.await(() -> looks[0] > 1, () -> looks[0]++)).isEmpty();
    }

    @Test
    void aPlaceThatIsGoneIsAnError() {
        MeetingPoint point =
                new MeetingPoint(new Meeting(directory.resolve("gone").toString(), 2), 1);
        assertThatThrownBy(() -> point.await(() -> false, () -> {}))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("gone");
    }

    /** The common pool has one thread on two cores, and all but one have to wait. */
    private static void inAThread(Runnable task) {
        new Thread(task).start();
    }

    private List<Long> come(long pid, int processes) {
        return new MeetingPoint(new Meeting(directory.toString(), processes), pid).await(() -> false, () -> {});
    }
}
