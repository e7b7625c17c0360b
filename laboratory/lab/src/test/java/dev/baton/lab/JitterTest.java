package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.schema.Schemas;
import dev.baton.lab.study.jitter.JitterFindings;
import dev.baton.lab.study.jitter.JitterStudy;
import dev.baton.lab.trial.TrialRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code jitter}: with children that measure nothing, and in seconds with real ones. */
@Tag("long")
class JitterTest {
    private static final boolean IS_ON_BY_DEFAULT = Runtime.version().feature() < 21;

    @TempDir
    private Path temporary;

    private FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);

    @Test
    void itsDefaultsAreItsOwn() {
        assertThat(laboratory.run("jitter", "--help-all")).isZero();
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("--rate=N", "messages per second (default: 10000)", "that is recorded (default: 100s)")
                .contains("before the recording (default: 10s)", "--safepoints=WHICH", "--pin", "--quick")
                .doesNotContain("--services", "--payload", "--transport");
        laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run("chain", "--help-all")).isZero();
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("per instance (default: 1000)", "that is recorded (default: 15s)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    --rate 0               | --rate 0 is out of range; 0.001 to 10000000 messages per second
                    --rate max             | 'max' is not a number; write one such as 1000, 0.5 or 20k
                    --duration 0s          | --duration 0s is out of range; 1ms to 24h
                    --warmup 8000h         | --warmup 8000h is out of range; 1ms to 24h
                    --idle sleep           | the reference loops have no idle strategy 'sleep'; known: default, spin, yielding
                    --idle park:0us        | a pause must be longer than zero
                    --worst 0              | --worst 0 is out of range; 1 to 1000
                    --worst 2.5            | --worst 2.5 is not a whole number; 1 to 1000
                    --worst 1001           | --worst 1001 is out of range; 1 to 1000
                    --safepoints never     | unknown safepoint interval 'never'; known: default, on, off, or a time such as 100ms
                    --safepoints 0s        | --safepoints 0s is out of range; 1ms to 24h
                    --safepoints 25h       | --safepoints 25h is out of range; 1ms to 24h
                    --safepoints 1500us    | --safepoints 1500us is not a whole number of milliseconds
                    --services 5           | Unknown options: '--services', '5'
                    surplus                | 'surplus' is not expected
                    """)
    void invalidInputIsRefusedInOneLine(String arguments, String line) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: ").contains(line);
        assertThat(laboratory.out()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void runsJvmDefaultAndOppositeByDefault() throws IOException {
        assertThat(run("--quick")).isZero();
        String opposite = IS_ON_BY_DEFAULT ? "off" : "on";
        assertThat(results())
                .extracting(result -> result.plan().id())
                .containsExactlyInAnyOrder("safepoints-default", "safepoints-" + opposite);
        assertThat(results()).allSatisfy(result -> {
            JitterStudy study = (JitterStudy) result.plan().study();
            assertThat(study.jvmDefaultMillis()).isEqualTo(IS_ON_BY_DEFAULT ? 1_000 : 0);
            assertThat(study.isQuick()).isTrue();
            assertThat(result.plan().phases().measureNanos()).isEqualTo(20_000_000_000L);
            assertThat(result.plan().phases().warmupNanos()).isEqualTo(3_000_000_000L);
            assertThat(result.plan().load().ratePerSecond()).isEqualTo(10_000);
        });
        assertThat(laboratory.out()).startsWith("provisional (--quick): ");
    }

    @Test
    void givenDurationHoldsForQuickRun() throws IOException {
        assertThat(run("--quick", "--duration", "7s", "--safepoints", "1s,1000ms"))
                .isZero();
        assertThat(results()).hasSize(1).allSatisfy(result -> {
            assertThat(result.plan().id()).isEqualTo("safepoints-1s");
            assertThat(result.plan().phases().measureNanos()).isEqualTo(7_000_000_000L);
            assertThat(result.plan().phases().warmupNanos()).isEqualTo(3_000_000_000L);
        });
    }

    @Test
    void twoRealRunsMeasureAttributeAndExplain() throws IOException {
        laboratory = new FakeLaboratory(TrialRunner.class);
        int code = run("--duration", "2s", "--warmup", "500ms", "--safepoints", "100ms,off", "--worst", "5");

        assertThat(laboratory.complaints())
                .as("a busy machine may not keep up")
                .allSatisfy(line -> assertThat(line).contains("% of its rate"));
        assertThat(code)
                .isIn(laboratory.complaints().isEmpty() ? List.of(0) : List.of(1, 4)); // 4: the host explains it
        assertThat(results()).hasSize(2).allSatisfy(result -> {
            JitterFindings found = (JitterFindings) result.findings();
            assertThat(found.intervalMillis()).isEqualTo(result.plan().id().endsWith("off") ? 0L : 100L);
            assertThat(found.isJvmDefault()).isFalse();
            assertThat(found.absent()).isEmpty();
            assertThat(found.events()).hasSizeBetween(1, 5);
            long longest = found.events().get(0).nanos();
            assertThat(longest)
                    .as("the longest event and the maximum are one, but for the histogram's three digits")
                    .isBetween(
                            result.response().maxNanos() * 998 / 1000,
                            result.response().maxNanos());
            assertThat(found.tallies().stream()
                            .mapToLong(JitterFindings.Tally::events)
                            .sum())
                    .isEqualTo(found.kept());
            assertThat(found.cores())
                    .allSatisfy(core -> assertThat(core.count()).isPositive());
            assertThat(found.watchCpuCores()).isBetween(0.0, 0.2);
            assertThat(result.delivery().isFaultless()).isTrue();
            assertThat(result.delivery().sent()).isBetween(24_990L, 25_010L);
            assertThat(result.response().count()).isEqualTo(20_000);
            assertThat(result.service().minNanos()).isBetween(1L, 100_000L);
            assertThat(result.transport().properties()).containsEntry("acknowledgement", "none");
        });
        assertThat(laboratory.out())
                .contains("worst events of 100ms", "worst events of off", "published elsewhere:")
                .contains("causes of the longest events", "By default this JVM guarantees");
        Schemas.requireValid(temporary);
    }

    @Test
    void aPinnedRunKeepsItsThreadsApart() throws IOException {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThanOrEqualTo(2);
        laboratory = new FakeLaboratory(TrialRunner.class);
        run("--duration", "500ms", "--warmup", "200ms", "--safepoints", "default", "--pin", "--idle", "park:100us");

        assertThat(results()).hasSize(1).allSatisfy(result -> {
            assertThat(result.transport().properties().get("threads"))
                    .matches(
                            "a producer and an accumulator; without work they park for 100 us; pinned to cores \\d+ and"
                                    + " \\d+");
            assertThat(((JitterFindings) result.findings()).isJvmDefault()).isTrue();
            assertThat(((JitterFindings) result.findings())
                            .tally(JitterFindings.Cause.MIGRATION)
                            .events())
                    .isZero();
            assertThat(result.delivery().isFaultless()).isTrue();
        });
    }

    private int run(String... typed) {
        List<String> arguments = new ArrayList<>(List.of(
                "jitter",
                "--out",
                temporary.resolve("results").toString(),
                "--dir",
                temporary.resolve("data").toString()));
        arguments.addAll(List.of(typed));
        return laboratory.run(arguments.toArray(String[]::new));
    }

    private List<TrialResult> results() throws IOException {
        return LeftResults.below(temporary.resolve("results"));
    }
}
