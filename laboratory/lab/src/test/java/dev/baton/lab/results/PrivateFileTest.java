package dev.baton.lab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFileTest {
    @TempDir
    private Path temporary;

    @Test
    void fileIsReplacedWithoutLeftovers() throws Exception {
        Path file = Files.writeString(temporary.resolve("x"), "before");
        PrivateFile.write(file, "1");
        assertThat(file).hasContent("1");
        assertOneFile();
    }

    /** A process that may rename over a device has taken it from the whole machine. */
    @Test
    void onlyRegularFilesAreReplaced() throws Exception {
        Path pipe = temporary.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> PrivateFile.write(pipe, "1"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContainingAll(pipe.toString(), "is not a regular file");
        assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther())
                .isTrue();
        assertOneFile();
    }

    @Test
    void missingFolderIsNamed() {
        Path folder = temporary.resolve("nowhere");
        assertThatThrownBy(() -> PrivateFile.write(folder.resolve("x"), "1"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("there is no folder " + folder + "; make it")
                .hasMessageNotContaining(".part");
    }

    private void assertOneFile() throws Exception {
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files).hasSize(1);
        }
    }
}
