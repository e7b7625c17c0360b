package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueFilesTest {
    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, -2_147_483_648L, 1})
    void anIndexThatNoFileCanHaveIsInNoFile(long index) {
        try (TemporaryDirectory directory = new TemporaryDirectory()) {
            assertThat(QueueFiles.of(directory.path(), index)).isNull();
        }
    }
}
