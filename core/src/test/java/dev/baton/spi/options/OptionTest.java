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

class OptionTest {
    private static final Option<Integer> SLOTS = Option.number("slots", 64, 2, 1024, ", a power of two", "how many")
            .where(value -> Integer.bitCount(value) == 1);
    private static final Option<Integer> BLOCK =
            Option.bytes("block", 1 << 16, 1 << 10, 1 << 26, "", "mapped at a time");
    private static final Option<Duration> LINGER = Option.time("linger", "5ms", "0ms", "2h", "how long");
    private static final Option<Boolean> SYNC = Option.flag("sync", "", "whether");
    private static final Option<Durability> KEPT =
            Option.choice("kept", Durability.HOST, ", no more", "which", List.of(Durability.PROCESS, Durability.HOST));
    private static final List<Option<?>> ALL = List.of(SLOTS, BLOCK, LINGER, SYNC, KEPT);

    private final Options options =
            new Options("ring", ALL.stream().map(Option::spec).toList(), Map.of());

    @Test
    void specsHaveDefaultsAndRanges() {
        assertThat(ALL.stream().map(Option::spec))
                .containsExactly(
                        new OptionSpec("slots", "64", "2 to 1024, a power of two", "how many"),
                        new OptionSpec("block", "64k", "1k to 64m bytes", "mapped at a time"),
                        new OptionSpec("linger", "5ms", "0ms to 2h", "how long"),
                        new OptionSpec("sync", "", "true or false", "whether"),
                        new OptionSpec("kept", "host", "process or host, no more", "which"));
    }

    @Test
    void valuesAreReadAsTheyWereSet() {
        Options changed =
                options.with(SLOTS, 8).with(BLOCK, 3 << 10).with(SYNC, true).with(KEPT, Durability.PROCESS);

        assertThat(changed.typed(ALL)).isEqualTo("slots=8 block=3k linger=5ms sync=true kept=process");
        assertThat(options.typed(ALL)).as("unchanged").isEqualTo("slots=64 block=64k linger=5ms kept=host");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT1H30M, 90m",
        "PT2H, 2h",
        "PT1M, 1m",
        "PT90S, 90s",
        "PT1.5S, 1500ms",
        "PT0.0005S, 500us",
        "PT0.000000007S, 7ns"
    })
    void timesHaveTheLargestWholeUnit(Duration time, String typed) {
        Options changed = options.with(LINGER, time);

        assertThat(changed.text("linger")).isEqualTo(typed);
        assertThat(changed.get(LINGER)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(ints = {-8, 0, 1, 3, 2048})
    void numbersThatAreNotAllowedAreRefused(int value) {
        assertThatThrownBy(() -> options.with(SLOTS, value).get(SLOTS))
                .hasMessage("ring: slots='" + value + "' is not allowed; 2 to 1024, a power of two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-PT1S", "PT2H0.000000001S", "PT2562047788015215H30M7.999999999S"})
    void timesThatAreNotAllowedAreRefused(Duration time) {
        assertThatThrownBy(() -> options.with(LINGER, time).get(LINGER))
                .hasMessageStartingWith("ring: linger='")
                .hasMessageEndingWith("' is not allowed; 0ms to 2h");
    }

    @Test
    void emptyValuesThatAreGivenAreRefused() {
        Options given = new Options("ring", List.of(SYNC.spec()), Map.of("sync", ""));

        assertThatThrownBy(() -> given.typed(List.of(SYNC))).hasMessage("ring: sync='' is not allowed; true or false");
    }

    @Test
    void negativeSizesAreRefused() {
        assertThatThrownBy(() -> options.with(BLOCK, -1).get(BLOCK))
                .hasMessage("ring: block='-1' is not allowed; 1k to 64m bytes");
    }
}
