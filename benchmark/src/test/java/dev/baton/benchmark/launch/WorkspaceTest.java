package dev.baton.benchmark.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceTest {
    @TempDir
    private Path temporary;

    @Test
    void everythingInItIsGoneAtTheEnd() throws IOException {
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
    void aFileInThePlaceOfTheDirectoryIsRefusedInOneLine() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "");
        assertThatThrownBy(() -> Workspace.in(file, "--dir", false))
                .hasMessage("--dir " + file + " cannot be written to: it is not a directory; name another directory");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsRefusedInOneLine() {
        assertThatThrownBy(() -> Workspace.in(Path.of("/proc/baton"), "--dir", false))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.kind()).isEqualTo(Refusal.Kind.ENVIRONMENT))
                .hasMessageStartingWith("--dir /proc/baton cannot be written to: ")
                .hasMessageEndingWith("; name another directory")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aDiskThatIsTooSmallIsRefusedWithBothSizes() {
        assertThatThrownBy(() -> Workspace.requireRoom(temporary, "--dir", Long.MAX_VALUE))
                .hasMessageStartingWith("--dir " + temporary + " has ")
                .hasMessageContaining(" MB free, this run may write ");
    }
}
