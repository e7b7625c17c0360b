package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands say of themselves is what they do. */
class HelpTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    chaos    | 4 inconclusive: some planned faults, or kinds that --kinds names, could not be injected
                    selftest | 2 usage error, 3 the environment does not allow it, 4 the machine disturbed a case
                    selftest | 130 interrupted
                    service  | Exit codes: 0 ended on request, 1 a service has thrown an exception, 2 usage error
                    service  | 3 the environment does not allow it
                    """)
    void exitCodesAreListed(String command, String text) {
        assertThat(help(command)).contains(text);
    }

    @Test
    void aPercentSignStandsOnce() {
        assertThat(help("density")).contains("--step=N|N% ", "(default: 5%)").doesNotContain("%%");
    }

    @Test
    void promotionIsThatOfAnArchive() {
        assertThat(help("promote")).contains("(default: aeron-archive)");
    }

    @Test
    void descriptionsMentionOnlyExistingOptions() {
        assertThat(help("transit")).contains("--engine").doesNotContain("--threading");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chain", "load", "soak"})
    void stagesOptionExistsForTimedServices(String command) {
        assertThat(help(command)).contains("--stages");
    }

    @ParameterizedTest
    @ValueSource(strings = {"transit", "jitter", "window", "density"})
    void stagesOptionIsAbsentWithoutTimedServices(String command) {
        assertThat(help(command)).doesNotContain("--stages");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    chain --transport disruptor --engine reference          | --stages on: only engine baton times
                    chain --transport disruptor --engine baton,reference    | --stages on: only engine baton times
                    chain --transport chronicle --processes per-service     | --stages on: with --processes per-service
                    load --transport disruptor --engine reference           | --stages on: only engine baton times
                    load --transport disruptor --http                       | --stages on: over HTTP
                    """)
    void untimedStagesAreRefusedInOneLine(String typed, String line) {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(Void.class);
        assertThat(laboratory.run((typed + " --stages on").split(" "))).isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: " + line);
    }

    private static String help(String command) {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(Void.class);
        assertThat(laboratory.run(command, "--help-all")).isZero();
        return laboratory.out().replaceAll("\\s+", " ");
    }
}
