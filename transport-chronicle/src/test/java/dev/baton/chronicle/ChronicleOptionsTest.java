package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.spi.Transport;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.OptionSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChronicleOptionsTest {
    private final ChronicleProvider provider = new ChronicleProvider();

    @Test
    void eachOptionCanBeChangedByItself() {
        ChronicleOptions changed = ChronicleOptions.defaults()
                .with(ChronicleOptions.BLOCK_SIZE, 1 << 20)
                .with(ChronicleOptions.INDEX_COUNT, 64)
                .with(ChronicleOptions.INDEX_SPACING, 16)
                .with(ChronicleOptions.ROLL, Roll.HOURLY)
                .with(ChronicleOptions.DURABILITY, Durability.HOST)
                .with(ChronicleOptions.BACKLOG, 7)
                .with(ChronicleOptions.BATCH, 5)
                .with(ChronicleOptions.RETENTION, Retention.UNREAD)
                .with(ChronicleOptions.MIN_FREE, 3);

        assertThat(changed)
                .hasToString(
                        "block-size=1m index-count=64 index-spacing=16 roll=hourly durability=host backlog=7 batch=5"
                                + " retention=unread min-free=3");
    }

    @Test
    void theDefaultsCarryAPayloadOf1024Bytes() {
        assertThat(Excerpt.maxPayload(ChronicleOptions.defaults().get(ChronicleOptions.BLOCK_SIZE)))
                .as("longest payload by default")
                .isGreaterThanOrEqualTo(1024);
    }

    @Test
    void theDefaultIndexSufficesForADailyFile() {
        ChronicleOptions defaults = ChronicleOptions.defaults();

        assertThat((long) defaults.get(ChronicleOptions.INDEX_COUNT)
                        * defaults.get(ChronicleOptions.INDEX_COUNT)
                        * defaults.get(ChronicleOptions.INDEX_SPACING))
                .isEqualTo(1L << 32);
    }

    @ParameterizedTest
    @CsvSource({
        "65536, 65476",
        "131072, 65476",
        "262144, 65476",
        "1048576, 262084",
    })
    void theLongestExcerptFollowsFromTheBlock(int blockSize, int longest) {
        assertThat(Excerpt.longest(blockSize)).isEqualTo(longest);
    }

    @ParameterizedTest
    @CsvSource({
        "block-size, 65535",
        "block-size, 100000",
        "block-size, 134217728",
        "index-count, 4",
        "index-count, 100",
        "index-count, 65536",
        "index-spacing, 0",
        "index-spacing, 3",
        "roll, weekly",
        "durability, replicated",
        "durability, memory",
        "backlog, 0",
        "batch, 0",
        "batch, 65537",
        "batch, many",
        "min-free, -1",
        "min-free, 16mb",
        "min-free, 2g",
        "block-size, 128m",
    })
    void valuesOutOfRangeAreRefusedByName(String name, String value) {
        assertThatThrownBy(() -> provider.open(Map.of("dir", "unused", name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(value);
        assertThatThrownBy(() -> provider.openForInspection(Map.of("dir", "unused", name, value)))
                .as("though it would not matter")
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(value);
    }

    @Test
    void indexPagesLargerThanABlockAreRefused() {
        assertThatThrownBy(() -> ChronicleOptions.defaults()
                        .with(ChronicleOptions.BLOCK_SIZE, 64 << 10)
                        .with(ChronicleOptions.INDEX_COUNT, 4096)
                        .with(ChronicleOptions.INDEX_SPACING, 256))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("128k");
    }

    @Test
    void aMissingDirectoryIsAskedFor() {
        assertThatThrownBy(() -> provider.open(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dir=");
    }

    @Test
    void typedOptionsArriveInTheProperties() {
        try (TemporaryDirectory directory = new TemporaryDirectory();
                Transport transport = provider.open(
                        Map.of("dir", directory.path().toString(), "roll", "five-minutely", "batch", "9"))) {
            assertThat(transport.properties().get("configuration"))
                    .contains("dir=" + directory.path(), "roll=five-minutely", "batch=9", "durability=process");
        }
    }

    @Test
    void sizesMayHaveAUnit() {
        try (TemporaryDirectory directory = new TemporaryDirectory();
                Transport transport = provider.open(
                        Map.of("dir", directory.path().toString(), "block-size", "1m", "min-free", "1.5k"))) {
            assertThat(transport.properties().get("configuration")).contains("block-size=1m", "min-free=1536");
        }
        Map<String, String> typed = Map.of("block-size", "1m", "retention", "unread");
        assertThat(provider.topicFootprint(typed))
                .isEqualTo(provider.topicFootprint(Map.of("block-size", "1048576", "retention", "unread")));
    }

    @Test
    void theDefaultsShownAreTheDefaults() {
        try (TemporaryDirectory directory = new TemporaryDirectory();
                Transport transport =
                        provider.open(Map.of("dir", directory.path().toString()))) {
            for (OptionSpec option : provider.options()) {
                String value = option.name().equals("retention") ? "all" : option.defaultValue(); // of a new directory
                assertThat(transport.properties().get("configuration")).contains(option.name() + "=" + value);
            }
        }
    }
}
