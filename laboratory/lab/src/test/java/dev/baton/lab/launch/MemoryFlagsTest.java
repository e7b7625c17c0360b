package dev.baton.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.launch.jvm.JvmFlags;
import dev.baton.lab.request.MemoryBudget;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryFlagsTest {
    @TempDir
    private Path mount;

    @Test
    void budgetPartsBecomeFlagsWithSameCollector() {
        MemoryBudget budget = MemoryBudget.of(128 << 20, 0, false);
        assertThat(JvmFlags.within(budget, List.of("-Xmx256m", "-XX:+UseSerialGC")))
                .contains(
                        "-Xmx" + budget.heapBytes() / 1024 + "k",
                        "-XX:MaxDirectMemorySize=" + budget.directBytes() / 1024 + "k",
                        "-XX:MaxMetaspaceSize=" + budget.metaspaceBytes() / 1024 + "k",
                        "-XX:ReservedCodeCacheSize=" + budget.codeBytes() / 1024 + "k",
                        "-Xss256k",
                        "-XX:+UseSerialGC")
                .doesNotContain("-Xmx256m");
    }

    @Test
    void withoutTheMemoryControllerNoGroupIsMade() throws IOException {
        Files.writeString(mount.resolve("cgroup.controllers"), "cpu hugetlb\n");
        assertThat(ControlGroup.complaint(mount, own("/")))
                .startsWith("a control group cannot be created here (no version 2 with a memory controller)");
        assertThat(mount)
                .isDirectoryNotContaining(path -> path.getFileName().toString().startsWith("baton-"));
    }

    @Test
    void groupWithoutControllerIsRemoved() throws IOException {
        Files.writeString(mount.resolve("cgroup.controllers"), "cpu memory\n");
        Files.createDirectories(mount.resolve("user/session"));
        assertThat(ControlGroup.complaint(mount, own("/user/session")))
                .contains("user/session: the memory controller is not handed down")
                .contains("--memory-by flags");
        assertThat(mount.resolve("user")).isDirectoryNotContaining("glob:**baton-*");
        assertThat(mount.resolve("user/session")).isEmptyDirectory();
    }

    @Test
    void budgetWithoutGroupKeepsTheCommand() {
        try (ControlGroup none = ControlGroup.of(MemoryBudget.of(128 << 20, 0, false))) {
            assertThat(none.enter(List.of("java"))).containsExactly("java");
        }
    }

    @Test
    void forbiddenGroupIsRefused() {
        assertThatThrownBy(() -> ControlGroup.make(mount, own("/"), 64 << 20))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(CommandException.Kind.ENVIRONMENT));
    }

    @Test
    void theSignsOfAShortageAreKnown() {
        assertThat(OutOfMemory.isIn("its JVM ended: Terminating due to java.lang.OutOfMemoryError: Metaspace"))
                .isTrue();
        assertThat(OutOfMemory.isIn("its JVM ended with status 137 before it had a result"))
                .isTrue();
        assertThat(OutOfMemory.isIn("Multiple garbage collectors selected")).isFalse();
    }

    private Path own(String group) throws IOException {
        return Files.writeString(mount.resolve("self"), "4:memory:/other\n0::" + group + "\n");
    }
}
