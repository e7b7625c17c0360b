package dev.baton.lab.study.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.operations.line.CommandException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweptNumbersTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    7                      | [7]
                    5k,25k,5000            | [5000, 25000]
                    1..4                   | [1, 2, 4]
                    5000..105000           | [5000, 10000, 20000, 40000, 80000, 105000]
                    5000..105000+20000     | [5000, 25000, 45000, 65000, 85000, 105000]
                    1..6+2,100             | [1, 3, 5, 6, 100]
                    3..3                   | [3]
                    """)
    void rangesDoubleOrGoInEqualSteps(String text, String numbers) {
        assertThat(WindowOptions.SweptNumbers.numbers("--keys", text, 1, 1_000_000))
                .hasToString(numbers);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    many       | --keys: 'many' is not a number
                    0          | --keys 0 is out of range; 1 to 1000000
                    5..        | --keys: '' is not a number
                    5..1       | --keys 5..1 goes down; write the smaller number first
                    1..1000+1  | --keys 1..1000+1 is more than 100 values; take longer steps
                    1..9+0     | --keys 0 is out of range
                    1,,2       | --keys: '' is not a number
                    1.5        | --keys 1.5 is not a whole number
                    """)
    void invalidRangeIsRefused(String text, String line) {
        assertThatThrownBy(() -> WindowOptions.SweptNumbers.numbers("--keys", text, 1, 1_000_000))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(line);
    }
}
