package dev.baton.chronicle.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileBytesTest {
    @TempDir
    Path directory;

    @Test
    void lengthsWithinTheWindowNeedNoSystemCall() throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[64]);
        try (FileBytes bytes = new FileBytes(file, 32)) {
            assertThat(bytes.reaches(64)).isTrue();
            assertThat(bytes.reaches(65)).isFalse();

            bytes.word(0);
            try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
                cut.truncate(0);
            }
            assertThat(bytes.reaches(32)).isTrue();
            assertThat(bytes.reaches(33)).isFalse();
            bytes.forget();
            assertThat(bytes.reaches(32)).isFalse();
        }
    }
}
