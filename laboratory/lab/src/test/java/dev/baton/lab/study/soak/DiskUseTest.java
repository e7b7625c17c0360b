package dev.baton.lab.study.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DiskUseTest {
    /** Answers each line with its number, the first one only when there is a file named "go". */
    private static final String NUMBERING =
            "n=0; while read line; do n=$((n+1)); while [ ! -e go ]; do sleep 0.02; done; echo $n; done";

    private static final long PATIENCE_NANOS = 50_000_000;

    @TempDir
    private Path directory;

    @Test
    void lateLineIsNotCountedToNextReading() throws IOException {
        try (DiskUse use = DiskUse.of(directory, NUMBERING, PATIENCE_NANOS)) {
            int readings = 1;
            assertThat(use.bytes()).isNull();
            Files.createFile(directory.resolve("go"));
            Long bytes = null;
            while (bytes == null) {
                bytes = use.bytes();
                readings++;
            }
            assertThat(bytes).isEqualTo(readings * 1_024L);
        }
    }

    @Test
    void spaceOfFilesIsCounted() throws IOException {
        try (DiskUse use = DiskUse.of(directory)) {
            long before = use.bytes();
            Files.write(directory.resolve("file"), new byte[1 << 20]);
            assertThat(use.bytes() - before).isBetween(1L << 20, 2L << 20);
        }
    }
}
