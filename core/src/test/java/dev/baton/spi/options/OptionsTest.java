package dev.baton.spi.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    private static final List<OptionSpec> SPECS = List.of(
            new OptionSpec("slots", "64", "2 to 1024", "how many"),
            new OptionSpec("linger", "5ms", "0ms to 1s", "how long"),
            OptionSpec.ofBytes("block", 1 << 16, 1 << 10, 1 << 26, ", a power of two", "mapped at a time"),
            new OptionSpec("sync", "false", "true or false", "whether"),
            new OptionSpec("acks", "all", "all, one", "which"));

    private enum Acks {
        ALL,
        ONE
    }

    @Test
    void whatIsNotGivenHasItsDefault() {
        Options options = options(Map.of());
        assertThat(options.integer("slots", 2, 1024)).isEqualTo(64);
        assertThat(options.duration("linger", Duration.ZERO, Duration.ofSeconds(1)))
                .isEqualTo(Duration.ofMillis(5));
        assertThat(options.flag("sync")).isFalse();
        assertThat(options.choice("acks", Acks.class)).isEqualTo(Acks.ALL);
        assertThat(options.isGiven("slots")).isFalse();
    }

    @Test
    void unknownKeyIsAnsweredWithKnownOnes() {
        assertThatThrownBy(() -> options(Map.of("slot", "3")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ring: unknown option 'slot'; known: slots (2 to 1024), linger (0ms to 1s), "
                        + "block (1k to 64m bytes, a power of two), sync (true or false), acks (all, one)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1025", "-3", "x", "", "99999999999"})
    void numberOutOfRangeIsAnsweredWithRange(String value) {
        assertThatThrownBy(() -> options(Map.of("slots", value)).integer("slots", 2, 1024))
                .hasMessage("ring: slots='" + value + "' is not allowed; 2 to 1024");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uff11\uff10", "+10", "1k"})
    void numbersHaveDecimalDigitsOnly(String value) {
        assertThatThrownBy(() -> options(Map.of("slots", value)).integer("slots", 2, 1024))
                .hasMessage("ring: slots='" + value + "' is not allowed; 2 to 1024");
    }

    @ParameterizedTest
    @CsvSource({"1024, 1024", "1k, 1024", "64m, 67108864", "0.5m, 524288"})
    void sizeIsANumberWithOptionalUnit(String value, int bytes) {
        assertThat(options(Map.of("block", value)).bytes("block", 1 << 10, 1 << 26))
                .isEqualTo(bytes);
        assertThat(options(Map.of()).bytes("block", 1 << 10, 1 << 26)).isEqualTo(65536);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1023", "65m", "4g", "-1k", "64mb", "", "1.7"})
    void sizeOutOfRangeIsRefusedWithRange(String value) {
        assertThatThrownBy(() -> options(Map.of("block", value)).bytes("block", 1 << 10, 1 << 26))
                .hasMessage("ring: block='" + value + "' is not allowed; 1k to 64m bytes, a power of two");
    }

    @Test
    void timeFlagAndChoiceAreCheckedAlike() {
        assertThatThrownBy(
                        () -> options(Map.of("linger", "2s")).duration("linger", Duration.ZERO, Duration.ofSeconds(1)))
                .hasMessageContaining("0ms to 1s");
        assertThatThrownBy(() -> options(Map.of("sync", "yes")).flag("sync")).hasMessageContaining("true or false");
        assertThatThrownBy(() -> options(Map.of("acks", "none")).choice("acks", Acks.class))
                .hasMessageContaining("all, one");
    }

    @ParameterizedTest
    @CsvSource({"7ns,7", "1.5us,1500", "20ms,20000000", "3s,3000000000", "2m,120000000000", "1h,3600000000000"})
    void timesBearTheirUnit(String text, long nanos) {
        assertThat(Options.parseDuration(text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "ms", "1.2.3s", "-1s", "5 parsecs", "1e3s"})
    void whatIsNoTimeIsRefusedWithExample(String text) {
        assertThatThrownBy(() -> Options.parseDuration(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is not a time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uff11\uff10ms", "\u0661s"})
    void digitsOfOtherScriptsAreNoTime(String text) {
        assertThatThrownBy(() -> Options.parseDuration(text)).hasMessageContaining("'" + text + "' is not a time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999999999999h", "9223372036854775808ns", "99999999999999999999999999999999ms"})
    void timeThatNanosecondsCannotCountIsTooLong(String text) {
        assertThatThrownBy(() -> Options.parseDuration(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is too long");
        assertThat(Options.parseDuration("2562047h")).isEqualTo(Duration.ofHours(2_562_047));
    }

    private static Options options(Map<String, String> values) {
        return new Options("ring", SPECS, values);
    }
}
