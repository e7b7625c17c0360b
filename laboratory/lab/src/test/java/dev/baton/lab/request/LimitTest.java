package dev.baton.lab.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p99.9<100ms | 99.9 | 100000000",
                "P50<5us     | 50   | 5000",
                "p99.999<1s  | 99.999 | 1000000000",
                "p100<2m     | 100  | 120000000000",
                "p99 < 1.5ms | 99   | 1500000",
            })
    void aLimitIsAPercentileAndATime(String text, double percentile, long nanos) {
        assertThat(Limit.parse(text)).containsExactly(new Limit(percentile, nanos));
    }

    @Test
    void severalAreJoinedByCommas() {
        assertThat(Limit.parse("p50<5ms, p99.9<100ms"))
                .containsExactly(new Limit(50, 5_000_000), new Limit(99.9, 100_000_000));
        assertThat(Limit.tightestNanos(Limit.parse("p99.9<100ms,p50<5ms"))).isEqualTo(5_000_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "100ms",
                "p99.9",
                "p99.9<",
                "p99.9<100",
                "p99.9>100ms",
                "p101<1s",
                "p0<1s",
                "p99<0ms",
                "p99<1s,",
                "p99<x",
                "p99<1..2s",
                "99.9<100ms"
            })
    void invalidLimitIsRefusedWithSyntax(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse(text))
                .withMessageStartingWith("limit '")
                .withMessageContaining("cannot be read")
                .withMessageContaining("pNN<duration, several joined by commas");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p99.9<100ms", "p50<5us", "p99.999<1.5s", "p99<143.36ms", "p100<999ns"})
    void aLimitIsPrintedAsItIsTyped(String text) {
        assertThat(Limit.parse(text).get(0)).hasToString(text);
    }

    @Test
    void durationFollowsFromSamplesAbove() {
        Limit limit = new Limit(99.9, 100_000_000);
        assertThat(limit.leastSamples()).isEqualTo(100);
        assertThat(limit.runForNanos(100, 1000)).isEqualTo(100_000_000_000L);
        assertThat(limit.runForNanos(10, 1000)).isEqualTo(10_000_000_000L);
        assertThat(new Limit(100, 1).runForNanos(100, 1000)).isEqualTo(1_000_000);
    }
}
