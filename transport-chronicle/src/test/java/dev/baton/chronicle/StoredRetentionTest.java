package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.directory.StoredRetention;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory keeps its retention, whatever the next process asks for. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "a part of a file is freed by fallocate, which only Linux has")
class StoredRetentionTest {
    private static final ChronicleOptions DEFAULTS =
            Topic.SMALL.with(ChronicleOptions.INDEX_COUNT, 64).with(ChronicleOptions.INDEX_SPACING, 4);
    private static final String TEXT = "x".repeat(10_000);

    private final TemporaryDirectory temporary = new TemporaryDirectory();
    private final Path directory = temporary.path().resolve("topics");
    private final Path file = directory.resolve(StoredRetention.FILE);

    @AfterEach
    void remove() {
        temporary.close();
    }

    @Test
    void aNewDirectoryKeepsEverythingByDefault() throws IOException {
        assertThat(retention(DEFAULTS)).isEqualTo("all");
        assertThat(Files.readString(file)).isEqualTo("all\n");
    }

    @Test
    void aProviderWithoutAnOptionKeepsEverything() {
        try (ChronicleTransport transport =
                (ChronicleTransport) new ChronicleProvider().open(Map.of("dir", directory.toString()))) {
            assertThat(transport.options().get(ChronicleOptions.RETENTION)).isEqualTo(Retention.ALL);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ALL", "UNREAD"})
    void theDefaultIsTheStoredRetention(Retention first) {
        String stored = retention(DEFAULTS.with(ChronicleOptions.RETENTION, first));
        assertThat(retention(DEFAULTS)).isEqualTo(stored);
        assertThat(retention(DEFAULTS.with(ChronicleOptions.RETENTION, first))).isEqualTo(stored);
    }

    @ParameterizedTest
    @EnumSource(names = {"ALL", "UNREAD"})
    void anotherRetentionIsRefusedAndChangesNothing(Retention first) {
        Retention other = first == Retention.ALL ? Retention.UNREAD : Retention.ALL;
        String stored = retention(DEFAULTS.with(ChronicleOptions.RETENTION, first));
        assertThatThrownBy(() -> retention(DEFAULTS.with(ChronicleOptions.RETENTION, other)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        directory.toString(),
                        "is kept with retention=" + stored + ", and retention="
                                + ChronicleOptions.RETENTION.typed(other),
                        "delete the file " + file);
        assertThat(retention(DEFAULTS)).isEqualTo(stored);
    }

    @Test
    void theRetentionChangesWhenItsFileIsDeleted() throws IOException {
        retention(DEFAULTS);
        Files.delete(file);
        assertThat(retention(DEFAULTS.with(ChronicleOptions.RETENTION, Retention.UNREAD)))
                .isEqualTo("unread");
        assertThat(retention(DEFAULTS)).isEqualTo("unread");
    }

    @Test
    void earlierDirectoriesContinueToFree() throws IOException {
        try (Topic topic = Topic.in(directory, DEFAULTS.with(ChronicleOptions.RETENTION, Retention.UNREAD))) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (int i = 0; i < 200; i++) {
                Topic.write(writer, TEXT);
                Topic.poll(reader, 10);
                reader.acknowledge(writer.sequence());
            }
        }
        Files.delete(file);
        assertThat(retention(DEFAULTS)).isEqualTo("unread");
    }

    @Test
    void earlierDirectoriesContinueToKeepAll() throws IOException {
        try (Topic topic = Topic.in(directory, DEFAULTS.with(ChronicleOptions.RETENTION, Retention.ALL))) {
            Topic.write(topic.writer(), TEXT);
        }
        Files.delete(file);
        assertThat(retention(DEFAULTS)).isEqualTo("all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "everything", "as-stored"})
    void aFileThatHoldsNoRetentionIsRefused(String text) throws IOException {
        retention(DEFAULTS);
        Files.writeString(file, text);
        assertThatThrownBy(() -> retention(DEFAULTS))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(file.toString(), "'all' or 'unread'", "delete it");
    }

    @Test
    void aDirectoryWithoutTopicsHasNoRetention() {
        try (ChronicleTransport transport =
                ChronicleTransport.in(directory, DEFAULTS.with(ChronicleOptions.RETENTION, Retention.UNREAD))) {
            assertThat(file).doesNotExist();
            transport.createTopics(List.of("a", "b"));
            transport.deleteTopics(List.of("a"));
            assertThat(file).exists();
            transport.deleteTopics(List.of("b"));
            assertThat(file).doesNotExist();
        }
        assertThat(retention(DEFAULTS.with(ChronicleOptions.RETENTION, Retention.ALL)))
                .isEqualTo("all");
    }

    @Test
    void concurrentProcessesStoreOneRetention() {
        try (ChronicleTransport one =
                        ChronicleTransport.in(directory, DEFAULTS.with(ChronicleOptions.RETENTION, Retention.UNREAD));
                ChronicleTransport other = ChronicleTransport.in(directory, DEFAULTS)) {
            one.createTopics(List.of("a"));
            assertThatThrownBy(() -> other.createTopics(List.of("b")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is kept with retention=unread, and retention=all was asked for");
            assertThat(other.topics()).containsExactly("a");
        }
    }

    @Test
    void topicsDeletedDuringACreationTakeNoRetention() throws IOException {
        ChronicleOptions freeing = DEFAULTS.with(ChronicleOptions.RETENTION, Retention.UNREAD);
        try (ChronicleTransport one = ChronicleTransport.in(directory, freeing);
                ChronicleTransport other = ChronicleTransport.in(directory, freeing)) {
            one.createTopics(List.of("a"));
            Files.delete(file); // as in a directory of an earlier version
            other.createTopics(new AbstractList<>() {
                @Override
                public String get(int index) {
                    if (Files.exists(file)) { // the creation has begun
                        one.deleteTopics(List.of("a"));
                    }
                    return "b";
                }

                @Override
                public int size() {
                    return 1;
                }
            });
            assertThat(other.topics()).containsExactly("b");
            assertThat(file).hasContent("unread");
        }
    }

    @Test
    void anotherRetentionOpensNoTopic() {
        try (ChronicleTransport freeing =
                        ChronicleTransport.in(directory, DEFAULTS.with(ChronicleOptions.RETENTION, Retention.UNREAD));
                Topic kept = Topic.in(directory, DEFAULTS);
                Connection connection = freeing.connect()) {
            assertThatThrownBy(() -> connection.openWriter(Topic.NAME))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("is kept with retention=all, and retention=unread was asked for");
            Topic.write(kept.writer(), TEXT);
        }
    }

    /** The retention that a transport with these options has, which creates a topic. */
    private String retention(ChronicleOptions options) {
        try (ChronicleTransport transport = ChronicleTransport.in(directory, options)) {
            transport.createTopics(List.of("one"));
            return ChronicleOptions.RETENTION.typed(transport.options().get(ChronicleOptions.RETENTION));
        }
    }
}
