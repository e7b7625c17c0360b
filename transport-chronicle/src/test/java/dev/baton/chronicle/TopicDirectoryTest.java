package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
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
    void namesLongerThanTwoHundredCharactersAreRefused() {
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
    void aCreationThatFailsLeavesNoTopic() throws IOException {
        try (Topic topic = Topic.in(directory)) {
            Files.createFile(directory.resolve("file"));
            assertThatThrownBy(() -> topic.transport.createTopics(List.of("a", Topic.NAME, "file", "b")))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("cannot create topic file");
            assertThat(topic.transport.topics()).containsExactly(Topic.NAME);
            assertThat(directory.resolve("file")).exists();
        }
    }

    /** Topics of a process that was killed while it created three partitions. */
    @Test
    void partitionsOfAKilledCreationAreCompleted() {
        try (Topic topic = Topic.in(directory)) {
            topic.transport.createTopics(List.of("p@2"));
            assertThatThrownBy(() -> topic.transport.createTopics(List.of("p@0", "p@1")))
                    .hasMessageContainingAll("topic 'p@2' exists without 'p@0'", "Delete 'p@2'");
            assertThat(topic.transport.createTopics(List.of("p@0", "p@1", "p@2")))
                    .containsExactly("p@0", "p@1");
            assertThat(topic.transport.createTopics(List.of("p@0", "p@1", "p@2")))
                    .isEmpty();
        }
    }

    /** The directory of a topic whose creation was killed before it had its identity. */
    @Test
    void topicOfAKilledCreationCountsAsCreated() throws IOException {
        try (Topic topic = Topic.in(directory)) {
            Files.createDirectory(directory.resolve("killed"));
            assertThat(topic.transport.topics()).doesNotContain("killed");
            assertThat(topic.transport.createTopics(List.of("killed", Topic.NAME)))
                    .containsExactly("killed");
            assertThat(topic.transport.createTopics(List.of("killed"))).isEmpty();
        }
    }

    @Test
    void failedCreationRemovesTopicsThatItCompleted() throws IOException {
        try (Topic topic = Topic.in(directory)) {
            Files.createDirectory(directory.resolve("killed"));
            Files.createFile(directory.resolve("file"));
            assertThatThrownBy(() -> topic.transport.createTopics(List.of("killed", "file")))
                    .hasMessageContaining("cannot create topic file");
            assertThat(topic.transport.topics()).containsExactly(Topic.NAME);
        }
    }

    @Test
    void otherDirectoriesAreNotListed() throws IOException {
        try (Topic topic = Topic.in(directory)) {
            Files.createFile(directory.resolve("file"));
            Files.createDirectory(directory.resolve(".hidden"));
            Files.createDirectory(directory.resolve("with blank"));
            Files.createSymbolicLink(directory.resolve("link"), directory.resolve(Topic.NAME));
            assertThat(topic.transport.topics()).containsExactly(Topic.NAME);
        }
    }

    @Test
    void symbolicLinksInPlaceOfTopicsAreRefused() throws IOException {
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
    void aSymbolicLinkToTheDirectoryIsRefused() throws IOException {
        Path elsewhere = Files.createDirectory(temporary.path().resolve("elsewhere"));
        Path link = Files.createSymbolicLink(temporary.path().resolve("link"), elsewhere);
        for (Path typed : List.of(link, link.resolve("."), link.resolve("x").resolve(".."))) {
            assertThatThrownBy(() -> ChronicleTransport.in(typed))
                    .isInstanceOf(AccessRefusedException.class)
                    .hasMessageContainingAll(link.toString(), "symbolic link", "links=follow");
        }
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void followedLinksKeepTheirTargetOnDelete() throws IOException {
        Path elsewhere = Files.createDirectory(temporary.path().resolve("elsewhere"));
        Path link = Files.createSymbolicLink(temporary.path().resolve("link"), elsewhere);
        Path topic = Files.createDirectory(temporary.path().resolve("topic"));
        Files.createSymbolicLink(elsewhere.resolve("linked"), topic);
        Path kept = Files.createFile(topic.resolve("kept"));
        ChronicleOptions options = ChronicleOptions.defaults();
        try (ChronicleTransport transport = ChronicleTransport.in(link, options, Links.FOLLOW)) {
            transport.createTopics(List.of("made", "linked"));
            assertThat(transport.topics()).containsExactly("linked", "made");
            transport.deleteTopics(List.of("linked"));
            assertThat(transport.topics()).containsExactly("made");
        }
        assertThat(elsewhere.resolve("made")).isDirectory();
        assertThat(kept).exists();
        try (Transport typed = new ChronicleProvider().open(Map.of("dir", link.toString(), "links", "follow"))) {
            assertThat(typed.topics()).containsExactly("made");
        }
    }

    @Test
    void worldWritableDirectoriesAreRefused() throws IOException {
        try (Topic topic = Topic.in(directory)) {
            Files.setPosixFilePermissions(directory.resolve(Topic.NAME), PosixFilePermissions.fromString("rwxrwxrwx"));
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(AccessRefusedException.class)
                    .hasMessageContainingAll(Topic.NAME, "every user", "revoke that permission");
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> ChronicleTransport.in(directory))
                .isInstanceOf(AccessRefusedException.class)
                .hasMessageContainingAll(directory.toString(), "every user", "revoke that permission");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxr-x"));
        ChronicleTransport.in(directory).close();
    }

    @Test
    void topicsAreAccessibleToTheirOwnerOnly() throws IOException {
        Files.createDirectory(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Topic topic = Topic.in(directory)) {
            topic.writer();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(Topic.NAME))))
                    .isEqualTo("rwx------");
        }
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
    void unreadableTopicsAreReportedWithTheirDirectory() throws IOException {
        try (Topic topic = Topic.in(directory)) {
            Files.createDirectories(directory.resolve(Topic.NAME).resolve("metadata.cq4t"));
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(directory.resolve(Topic.NAME).toString());
        }
    }
}
