package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics are directories, and what else lies there is left alone. */
class TopicDirectoryTest {
    private final TemporaryDirectory temporary = new TemporaryDirectory();
    private final Path directory = temporary.path().resolve("topics");

    @AfterEach
    void remove() {
        temporary.close();
    }

    @Test
    void directoriesAreTheOwnersAlone() throws IOException {
        try (Topic topic = Topic.in(directory)) {
            assertThat(topic.transport.topics()).containsExactly(Topic.NAME);
        }
        for (Path made : List.of(directory, directory.resolve(Topic.NAME))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A.b_c-9", "0", "-", "_", "a..b"})
    void namesOfTheAllowedCharactersAreCarried(String name) {
        try (ChronicleTransport transport = ChronicleTransport.in(directory)) {
            transport.createTopics(List.of(name));
            assertThat(transport.topics()).containsExactly(name);
        }
    }

    @Test
    void theLongestNameIsCarriedAndOneMoreCharacterIsRefusedWithTheRule() {
        try (ChronicleTransport transport = ChronicleTransport.in(directory);
                Connection connection = transport.connect()) {
            String longest = "x".repeat(200);
            transport.createTopics(List.of(longest));
            connection.openReader(longest, longest);
            assertThatThrownBy(() -> transport.createTopics(List.of(longest + "x")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 200 characters of A-Z a-z 0-9 . _ -");
        }
    }

    @Test
    void whatIsNoTopicIsNotListed() throws IOException {
        try (Topic topic = Topic.in(directory)) {
            Files.createFile(directory.resolve("file"));
            Files.createDirectory(directory.resolve(".hidden"));
            Files.createDirectory(directory.resolve("with blank"));
            Files.createSymbolicLink(directory.resolve("link"), directory.resolve(Topic.NAME));
            assertThat(topic.transport.topics()).containsExactly(Topic.NAME);
        }
    }

    @Test
    void aSymbolicLinkInPlaceOfATopicIsRefused() throws IOException {
        Path elsewhere = Files.createDirectory(temporary.path().resolve("elsewhere"));
        try (Topic topic = Topic.in(directory)) {
            Files.createSymbolicLink(directory.resolve("link"), elsewhere);
            assertThatThrownBy(() -> topic.transport.createTopics(List.of("link")))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("symbolic link");
            assertThatThrownBy(() -> topic.connection.openWriter("link"))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("symbolic link");
            assertThatThrownBy(() -> topic.connection.openReader("link", "someone"))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("symbolic link");
        }
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void deletingATopicDoesNotFollowLinks() throws IOException {
        Path elsewhere = Files.createDirectory(temporary.path().resolve("elsewhere"));
        Path kept = Files.createFile(elsewhere.resolve("kept"));
        try (ChronicleTransport transport = ChronicleTransport.in(directory)) {
            transport.createTopics(List.of(Topic.NAME));
            Files.createSymbolicLink(directory.resolve("link"), elsewhere);
            Files.createSymbolicLink(directory.resolve(Topic.NAME).resolve("link"), elsewhere);
            transport.deleteTopics(List.of("link", Topic.NAME, "../elsewhere"));
        }
        assertThat(kept).exists();
        assertThat(directory.resolve(Topic.NAME)).doesNotExist();
        assertThat(directory.resolve("link")).exists();
    }

    @Test
    void aTopicInUseIsNotDeleted() {
        try (Topic topic = Topic.in(directory)) {
            topic.reader();
            assertThatThrownBy(() -> topic.transport.deleteTopics(List.of(Topic.NAME)))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(Topic.NAME);
        }
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.createFile(temporary.path().resolve("file"));
        for (Path impossible : List.of(file, file.resolve("below"))) {
            assertThatThrownBy(() -> ChronicleTransport.in(impossible))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(impossible.toString());
        }
    }

    @Test
    void aTopicWhoseFilesCannotBeOpenedIsNamedWithItsDirectory() throws IOException {
        try (Topic topic = Topic.in(directory)) {
            Files.createDirectories(directory.resolve(Topic.NAME).resolve("metadata.cq4t"));
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(directory.resolve(Topic.NAME).toString());
        }
    }
}
