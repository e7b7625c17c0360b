package dev.baton.operations.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnitsTest {
    @Test
    void timeHasThreeDigitsAndFittingUnit() {
        assertThat(Units.time(0)).isEqualTo("0 ns");
        assertThat(Units.time(812)).isEqualTo("812 ns");
        assertThat(Units.time(999)).isEqualTo("999 ns");
        assertThat(Units.time(1_000)).isEqualTo("1.00 us");
        assertThat(Units.time(14_349)).isEqualTo("14.3 us");
        assertThat(Units.time(143_500)).isEqualTo("144 us");
        assertThat(Units.time(1_234_567)).isEqualTo("1.23 ms");
        assertThat(Units.time(2_500_000_000L)).isEqualTo("2.50 s");
        assertThat(Units.time(125_000_000_000L)).isEqualTo("125 s");
    }

    @Test
    void roundingNeverShowsFourDigits() {
        assertThat(Units.time(9_996)).isEqualTo("10.0 us");
        assertThat(Units.time(99_960)).isEqualTo("100 us");
        assertThat(Units.time(999_600)).isEqualTo("1.00 ms");
    }

    @Test
    void memoryIsCountedInBinaryUnits() {
        assertThat(Units.bytes(0)).isEqualTo("0 B");
        assertThat(Units.bytes(0.25)).isEqualTo("0.25 B");
        assertThat(Units.bytes(1536)).isEqualTo("1.50 KiB");
        assertThat(Units.bytes(256 << 20)).isEqualTo("256 MiB");
        assertThat(Units.bytes(24L << 30)).isEqualTo("24.0 GiB");
    }

    @Test
    void sharesAreOfOneCore() {
        assertThat(Units.percent(0)).isEqualTo("0 %");
        assertThat(Units.percent(0.0012)).isEqualTo("0.12 %");
        assertThat(Units.percent(0.123)).isEqualTo("12.3 %");
        assertThat(Units.percent(1.87)).isEqualTo("187 %");
    }

    @Test
    void timeIsFormattedAsOptionValue() {
        assertThat(Units.typed(Duration.ofSeconds(30))).isEqualTo("30s");
        assertThat(Units.typed(Duration.ofSeconds(90))).isEqualTo("90s");
        assertThat(Units.typed(Duration.ofMinutes(2))).isEqualTo("2m");
        assertThat(Units.typed(Duration.ofHours(36))).isEqualTo("36h");
        assertThat(Units.typed(Duration.ofMillis(1500))).isEqualTo("1500ms");
        assertThat(Units.typed(Duration.ofNanos(50_000))).isEqualTo("50us");
        assertThat(Units.typed(Duration.ofNanos(7))).isEqualTo("7ns");
        assertThat(Units.typed(Duration.ZERO)).isEqualTo("0s");
    }

    @Test
    void aClockCountsMinutesAndSeconds() {
        assertThat(Units.clock(Duration.ofSeconds(7))).isEqualTo("0:07");
        assertThat(Units.clock(Duration.ofSeconds(750))).isEqualTo("12:30");
        assertThat(Units.clock(Duration.ofSeconds(-1))).isEqualTo("0:00");
    }

    @Test
    void thousandsStandApart() {
        assertThat(Units.count(30_000)).isEqualTo("30,000");
    }
}
