package dev.baton.chronicle.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.errors.TransportException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that exclude each other, of two transports in this process; other processes are in {@code SecondReaderTest}. */
class DirectoryLocksTest {
    private static final String TOPIC = "orders";

    @TempDir
    private Path directory;

    @Test
    void anotherTaskWaitsForTheFirst() {
        try (DirectoryLocks one = DirectoryLocks.of(directory);
                DirectoryLocks two = DirectoryLocks.of(directory)) {
            CompletableFuture<Integer> other = one.exclusively(TOPIC, () -> {
                CompletableFuture<Integer> waiting = async(two);
                assertThat(one.<Integer>exclusively(TOPIC, () -> 1))
                        .as("a task within")
                        .isEqualTo(1);
                assertThat(waiting).isNotDone();
                return waiting;
            });
            assertThat(other.join()).isEqualTo(2);
        }
    }

    @Test
    void failedTaskLeavesTheTopicFree() {
        try (DirectoryLocks one = DirectoryLocks.of(directory);
                DirectoryLocks two = DirectoryLocks.of(directory)) {
            assertThatThrownBy(() -> one.exclusively(TOPIC, () -> {
                        throw new IllegalArgumentException("refused");
                    }))
                    .hasMessage("refused");
            assertThat(async(two).join()).isEqualTo(2);
        }
    }

    @Test
    @Tag("long")
    void waitingForATaskEnds() {
        CountDownLatch isOver = new CountDownLatch(1);
        CountDownLatch isRunning = new CountDownLatch(1);
        try (DirectoryLocks locks = DirectoryLocks.of(directory)) {
            CompletableFuture<Void> endless = CompletableFuture.runAsync(() -> locks.exclusively(TOPIC, () -> {
                isRunning.countDown();
                return await(isOver);
            }));
            await(isRunning);
            assertThatThrownBy(() -> locks.exclusively(TOPIC, () -> 1))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("topic " + TOPIC, directory.toString(), "open it again");
            isOver.countDown();
            endless.join();
        }
    }

    private static CompletableFuture<Integer> async(DirectoryLocks locks) {
        return CompletableFuture.supplyAsync(() -> locks.exclusively(TOPIC, () -> 2));
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
