package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuListsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0       | 1
                    0-3     | 4
                    0-1,5   | 3
                    2-3,6-8 | 5
                    """)
    void aListIsReadAndWrittenAsTheKernelWritesIt(String list, int count) {
        assertThat(CpuLists.parse(list).cardinality()).isEqualTo(count);
        assertThat(CpuLists.text(CpuLists.parse(list))).isEqualTo(list);
    }

    @Test
    void noCpuIsAnEmptyList() {
        assertThat(CpuLists.parse("").isEmpty()).isTrue();
        assertThat(CpuLists.text(CpuLists.parse(""))).isEmpty();
    }

    @Test
    void thisProcessMayRunSomewhere() {
        assertThat(CpuLists.allowed().cardinality())
                .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    }
}
