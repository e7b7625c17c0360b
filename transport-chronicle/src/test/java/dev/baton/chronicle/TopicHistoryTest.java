package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TransportException;
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

    @Test
    void whatAWriterAddsIsReadAgain() {
        TopicHistory made = read().begin("t", "a > b", 1, false).answering("t", 3, new InputRef(-5, 7), false);
        TopicHistory again = read();
        assertThat(again.identity()).isEqualTo(made.identity());
        assertThat(again.writers().at(9)).isEqualTo(made.writers().newest());
        assertThat(again.writers().at(0)).isNull();
        assertThat(again.inputOf(2)).isEqualTo(InputRef.UNKNOWN);
        assertThat(again.inputOf(3)).isEqualTo(new InputRef(-5, 7));
    }

    @Test
    void oneOfManyThatCreateATopicAtOnceGivesItItsIdentity() throws Exception {
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
    void aLineThatADeadWriterDidNotEndSaysNothingAndTheNextOneGoesOn() throws IOException {
        Incarnation first = read().begin("t", "", 1, false).writers().newest();
        Files.writeString(file, "writer 5 12ab", StandardOpenOption.APPEND);
        assertThat(read().writers().newest()).isEqualTo(first);
        Incarnation second = read().begin("t", "", 6, false).writers().newest();
        assertThat(read().writers().newest()).isEqualTo(second);
        assertThat(read().writers().at(5)).isEqualTo(first);
        assertThat(second.id()).isGreaterThan(first.id());
    }

    @Test
    void writersOfATopicThatWasCutOffAndWrittenFurtherTakeThePlaceOfTheFormer() {
        TopicHistory history = read().begin("t", "", 1, false).begin("t", "", 1000, false);
        history = history.begin("t", "", 901, false);
        assertThat(read().writers().at(950)).isEqualTo(history.writers().newest());
        assertThat(Incarnation.count(history.writers().newest().id())).isGreaterThan(3);
    }

    @Test
    void aLongHistoryIsShortenedAndKeepsItsNewestPart() throws IOException {
        TopicHistory history = read();
        for (int i = 1; i <= 2000; i++) {
            history = history.begin("t", "", i, false);
        }
        assertThat(Files.readAllLines(file)).hasSizeLessThan(1100);
        TopicHistory again = read();
        assertThat(again.identity()).isEqualTo(history.identity());
        assertThat(again.writers().newest()).isEqualTo(history.writers().newest());
        assertThat(again.writers().at(1990)).isEqualTo(history.writers().at(1990));
    }

    @Test
    void aLongHistoryWhoseLastLineHasNoEndIsShortenedAsWell() throws IOException {
        TopicHistory history = read();
        for (int i = 1; i <= 1024; i++) {
            history = history.begin("t", "", i, false);
        }
        Files.writeString(file, "writer 2000 12ab", StandardOpenOption.APPEND);
        Incarnation newest = read().begin("t", "", 1025, false).writers().newest();
        assertThat(Files.readAllLines(file)).hasSizeLessThan(300);
        TopicHistory again = read();
        assertThat(again.writers().at(1024)).isEqualTo(history.writers().newest());
        assertThat(again.writers().newest()).isEqualTo(newest);
    }

    @Test
    void aHistoryIsCurrentUntilSomebodyAddsToItOrPutsAnotherInItsPlace() throws IOException {
        TopicHistory made = read();
        assertThat(made.current("t")).isSameAs(made);

        Incarnation other = read().begin("t", "", 1, false).writers().newest();
        TopicHistory now = made.current("t");
        assertThat(now.writers().newest()).isEqualTo(other);
        assertThat(now.current("t")).isSameAs(now);

        String identity = Long.toHexString(now.identity());
        String altered = Files.readString(file).replace(identity, "7".repeat(identity.length()));
        Path asLong = Files.writeString(directory.resolve("another"), altered);
        Files.setLastModifiedTime(asLong, Files.getLastModifiedTime(file));
        Files.move(asLong, file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(now.current("t").identity()).isNotEqualTo(now.identity());

        Files.delete(file);
        assertThat(now.current("t").writers().newest()).isNull();
    }

    @Test
    void anythingElseIsRefusedInOneLine() throws IOException {
        Random random = new Random(7);
        read().begin("t", "a > b", 1, false).answering("t", 3, new InputRef(-5, 7), false);
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
