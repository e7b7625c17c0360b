package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.directory.TopicHistory;
import dev.baton.chronicle.platform.Device;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicHistoryTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve(TopicHistory.FILE);
    }

    /** A writer died after it had noted the input of frames that it had not flushed. */
    @Test
    void inputOfFramesNeverStoredDoesNotCount() {
        InputRef known = new InputRef(1, 2);
        read().begin("t", "", 1, 0, Device.NONE)
                .answering("t", 1, known, Device.NONE)
                .answering("t", 6, new InputRef(3, 4), Device.NONE);
        read().begin("t", "", 2, 0, Device.NONE).answering("t", 2, known, Device.NONE);

        assertThat(read().inputOf(6))
                .as("the input of a later writer's frame with the sequence of one that was never stored")
                .isEqualTo(known);
    }

    @Test
    void addedLinesAreReadAgain() {
        TopicHistory made =
                read().begin("t", "a > b", 1, 0, Device.NONE).answering("t", 3, new InputRef(-5, 7), Device.NONE);
        TopicHistory again = read();
        assertThat(again.identity()).isEqualTo(made.identity());
        assertThat(again.writers().at(9)).isEqualTo(made.writers().newest());
        assertThat(again.writers().at(0)).isNull();
        assertThat(again.inputOf(2)).isEqualTo(InputRef.UNKNOWN);
        assertThat(again.inputOf(3)).isEqualTo(new InputRef(-5, 7));
    }

    @Test
    void concurrentCreationsGiveOneIdentity() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Long> opening = () -> read().identity();
            List<Future<Long>> seen = threads.invokeAll(List.of(opening, opening, opening, opening));
            for (Future<Long> each : seen) {
                assertThat(each.get()).isEqualTo(read().identity());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(directory).isDirectoryContaining(path -> path.equals(file));
        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void tornLinesAreSkippedAndEnded() throws IOException {
        Incarnation first = read().begin("t", "", 1, 0, Device.NONE).writers().newest();
        Files.writeString(file, "writer 5 12ab", StandardOpenOption.APPEND);
        assertThat(read().writers().newest()).isEqualTo(first);
        Incarnation second = read().begin("t", "", 6, 0, Device.NONE).writers().newest();
        assertThat(read().writers().newest()).isEqualTo(second);
        assertThat(read().writers().at(5)).isEqualTo(first);
        assertThat(second.id()).isGreaterThan(first.id());
    }

    @Test
    void writersAfterATruncationReplaceTheFormer() {
        TopicHistory history = read().begin("t", "", 1, 0, Device.NONE).begin("t", "", 1000, 0, Device.NONE);
        history = history.begin("t", "", 901, 0, Device.NONE);
        assertThat(read().writers().at(950)).isEqualTo(history.writers().newest());
        assertThat(Incarnation.count(history.writers().newest().id())).isGreaterThan(3);
    }

    @Test
    void openingsWithoutFramesDoNotLengthenAHistory() throws IOException {
        InputRef answered = new InputRef(-5, 7);
        TopicHistory history = read().begin("t", "", 1, 0, Device.NONE).answering("t", 1, answered, Device.NONE);
        for (int i = 0; i < 1500; i++) {
            history = read().begin("t", "", 51, 0, Device.NONE);
        }
        assertThat(Files.readAllLines(file)).hasSizeLessThan(1100);
        TopicHistory again = read();
        assertThat(again.identity()).isEqualTo(history.identity());
        assertThat(again.inputOf(50)).isEqualTo(answered);
        assertThat(again.writers().newest()).isEqualTo(history.writers().newest());
        assertThat(again.writers().at(50)).isEqualTo(history.writers().at(50)).isNotNull();
    }

    @Test
    void longHistoriesKeepWritersAndInputsOfFrames() throws IOException {
        TopicHistory history = read();
        for (int i = 1; i <= 2000; i++) {
            history = history.begin("t", "", i, 0, Device.NONE);
            if (i % 2 == 0) {
                history = history.answering("t", i, new InputRef(1, i), Device.NONE);
            }
            history = history.begin("t", "", i + 1, 0, Device.NONE); // has no frame
        }
        assertThat(Files.readAllLines(file)).hasSizeLessThan(2 * 3000 + 2);
        TopicHistory again = read();
        for (int i = 1; i <= 2000; i++) {
            assertThat(again.writers().at(i)).isEqualTo(history.writers().at(i)).isNotNull();
            assertThat(again.inputOf(i))
                    .isEqualTo(i == 1 ? InputRef.UNKNOWN : new InputRef(1, i - i % 2))
                    .isEqualTo(history.inputOf(i));
        }
    }

    @Test
    void longHistoriesDropLinesOfRemovedFrames() throws IOException {
        TopicHistory history =
                read().begin("t", "", 1, 0, Device.NONE).answering("t", 1, new InputRef(1, 1), Device.NONE);
        for (int i = 2; i <= 3000; i++) {
            history = history.begin("t", "", i, i - 1, Device.NONE);
        }
        assertThat(Files.readAllLines(file)).hasSizeLessThan(1100);
        assertThat(read().inputOf(3000)).isEqualTo(new InputRef(1, 1));
        assertThat(read().writers().at(2999))
                .isEqualTo(history.writers().at(2999))
                .isNotNull();
    }

    @Test
    void longHistoriesWithATornLineAreShortened() throws IOException {
        TopicHistory history = read();
        for (int i = 1; i <= 1024; i++) {
            history = history.begin("t", "", 7, 0, Device.NONE);
        }
        Files.writeString(file, "writer 2000 12ab", StandardOpenOption.APPEND);
        Incarnation newest = read().begin("t", "", 9, 0, Device.NONE).writers().newest();
        assertThat(Files.readAllLines(file)).hasSizeLessThan(10);
        TopicHistory again = read();
        assertThat(again.writers().at(8)).isEqualTo(history.writers().newest());
        assertThat(again.writers().newest()).isEqualTo(newest);
    }

    @Test
    void historiesAreCurrentUntilAppendedOrReplaced() throws IOException {
        TopicHistory made = read();
        assertThat(made.current("t")).isSameAs(made);

        Incarnation other = read().begin("t", "", 1, 0, Device.NONE).writers().newest();
        TopicHistory now = made.current("t");
        assertThat(now.writers().newest()).isEqualTo(other);
        assertThat(now.current("t")).isSameAs(now);

        Path another = Files.createDirectory(directory.resolve("another"));
        TopicHistory.read("t", another);
        Path asLong = another.resolve(TopicHistory.FILE);
        Files.setLastModifiedTime(asLong, Files.getLastModifiedTime(file));
        Files.move(asLong, file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(now.current("t").identity()).isNotEqualTo(now.identity());

        Files.delete(file);
        assertThat(now.current("t").writers().newest()).isNull();
    }

    @Test
    void everyFlippedBitIsRefused() throws IOException {
        read().begin("t", "a > b", 1, 0, Device.NONE).answering("t", 3, new InputRef(-5, 7), Device.NONE);
        byte[] whole = Files.readAllBytes(file);
        for (int bit = 0; bit < whole.length * Byte.SIZE; bit++) {
            byte[] altered = whole.clone();
            altered[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            Files.write(file, altered);
            assertThatThrownBy(this::read)
                    .as("bit " + bit)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(file + " is no history of a topic");
        }
    }

    @Test
    void anythingElseIsRefusedInOneLine() throws IOException {
        Random random = new Random(7);
        read().begin("t", "a > b", 1, 0, Device.NONE).answering("t", 3, new InputRef(-5, 7), Device.NONE);
        byte[] whole = Files.readAllBytes(file);
        for (int i = 0; i < 2000; i++) {
            byte[] altered = whole.clone();
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                altered[random.nextInt(altered.length)] = (byte) random.nextInt(256);
            }
            Files.write(file, altered);
            try {
                read();
            } catch (TransportException refused) {
                assertThat(refused.getMessage())
                        .contains("is no history of a topic")
                        .doesNotContain("\n");
            }
        }
    }

    private TopicHistory read() {
        return TopicHistory.read("t", directory);
    }
}
