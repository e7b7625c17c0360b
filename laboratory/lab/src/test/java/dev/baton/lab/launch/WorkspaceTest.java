package dev.baton.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.operations.line.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceTest {
    @TempDir
    private Path temporary;

    @Test
    void contentIsRemovedAtTheEnd() throws IOException {
        Workspace workspace = Workspace.in(temporary.resolve("a/b"), "--dir", false);
        Path inside = workspace.directory("trial/queues");
        Files.writeString(inside.resolve("file"), "data");
        workspace.close();
        assertThat(workspace.path()).doesNotExist();
    }

    @Test
    void itStaysWhenItIsToBeKept() throws IOException {
        Workspace workspace = Workspace.in(temporary, "--dir", true);
        Path inside = workspace.directory("trial");
        workspace.remove(inside);
        workspace.close();
        assertThat(inside).exists();
    }

    @Test
    void onlyLeftoversOfKilledProcessesAreRemoved() throws Exception {
        Path killed = leftByAKilledProcess();
        Path keptByItsUser = Files.createDirectories(temporary.resolve("baton-kept"));
        Path somebodyElses = Files.createDirectories(temporary.resolve("other"));
        try (Workspace ours = Workspace.in(temporary, "--dir", false)) {
            Workspace.removeAbandoned(temporary);

            assertThat(killed).doesNotExist();
            assertThat(keptByItsUser).exists();
            assertThat(somebodyElses).exists();
            assertThat(ours.path()).exists();
        }
    }

    @Test
    void foreignLinksAreNeitherFollowedNorRemoved() throws Exception {
        Path victim = Files.createDirectory(temporary.resolve("victim"));
        Files.writeString(victim.resolve("owner.lock"), "");
        Path file = Files.writeString(victim.resolve("file"), "kept");
        Path link = Files.createSymbolicLink(temporary.resolve("baton-link"), victim);
        Path open = Files.createDirectory(temporary.resolve("baton-open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(open.resolve("owner.lock"), "");

        Workspace.removeAbandoned(temporary);

        assertThat(file).hasContent("kept");
        assertThat(link).isSymbolicLink();
        assertThat(open).exists();
    }

    @Test
    void workspaceIsPrivate() throws IOException {
        try (Workspace workspace = Workspace.in(temporary, "--dir", false)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(workspace.path())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void resultFolderIsPrivate() throws IOException {
        Path folder = ExperimentFolder.in(temporary.resolve("results"), "any").path();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void ownWorkspaceIsNotAbandoned() throws Exception {
        try (Workspace ours = Workspace.in(temporary, "--dir", false)) {
            Workspace.removeAbandoned(temporary);
            assertThat(start(Sweeper.class).waitFor()).isZero();

            assertThat(ours.path()).exists();
        }
    }

    private Process start(Class<?> main) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        temporary.toString())
                .redirectErrorStream(true)
                .start();
    }

    private Path leftByAKilledProcess() throws Exception {
        Process owner = start(Owner.class);
        try (BufferedReader said = owner.inputReader()) {
            Path left = Path.of(said.readLine());
            Workspace.removeAbandoned(temporary);
            assertThat(left).as("its owner lives").exists();
            return left;
        } finally {
            owner.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    /** A process that removes what others have left. */
    static final class Sweeper {
        private Sweeper() {}

        public static void main(String[] args) {
            Workspace.removeAbandoned(Path.of(args[0]));
        }
    }

    /** A process that has a workspace until it is killed. */
    static final class Owner {
        private Owner() {}

        public static void main(String[] args) throws Exception {
            System.out.println(Workspace.in(Path.of(args[0]), "--dir", false)
                    .directory("trial")
                    .getParent());
            System.in.read();
        }
    }

    @Test
    void fileInsteadOfDirectoryIsRefused() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "");
        assertThatThrownBy(() -> Workspace.in(file, "--dir", false))
                .hasMessage("--dir " + file + " cannot be written to: it is not a directory; name another directory");
    }

    @Test
    void uncreatableDirectoryIsRefused() {
        assertThatThrownBy(() -> Workspace.in(Path.of("/proc/baton"), "--dir", false))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(CommandException.Kind.ENVIRONMENT))
                .hasMessageStartingWith("--dir /proc/baton cannot be written to: ")
                .hasMessageEndingWith("; name another directory")
                .hasMessageNotContaining("\n");
    }

    @Test
    void tooSmallDiskIsRefusedWithSizes() {
        assertThatThrownBy(() -> Workspace.requireRoom(temporary, "--dir", Long.MAX_VALUE))
                .hasMessageStartingWith("--dir " + temporary + " has ")
                .hasMessageContaining(" MB free, this run may write ");
    }
}
