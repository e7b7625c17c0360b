package dev.baton.chronicle.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueFilesTest {
    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, -2_147_483_648L, 1})
    void impossibleIndexesAreInNoFile(long index, @TempDir Path directory) {
        assertThat(QueueFiles.of(directory, index)).isNull();
    }
}
