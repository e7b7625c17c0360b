package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoresTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0       | 1
                    0-3     | 4
                    0-1,5   | 3
                    2-3,6-8 | 5
                    """)
    void kernelListIsParsedAndWritten(String list, int count) {
        assertThat(Cores.parse(list).cardinality()).isEqualTo(count);
        assertThat(Cores.text(Cores.parse(list))).isEqualTo(list);
    }

    @Test
    void noCpuIsAnEmptyList() {
        assertThat(Cores.parse("").isEmpty()).isTrue();
        assertThat(Cores.text(Cores.parse(""))).isEmpty();
    }

    @Test
    void thisProcessMayRunSomewhere() {
        assertThat(Cores.allowed().cardinality())
                .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    }
}
