package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.schema.Schemas;
import dev.baton.lab.study.transit.TransitFindings;
import dev.baton.lab.study.transit.TransitStudy;
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

/** {@code baton transit}, mostly with children that measure nothing. */
@Tag("slow")
class TransitTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);

    @Test
    void defaultsAreOneTopicAndTwoSpinningThreads() throws IOException {
        assertThat(transit("--transport", "plain")).isZero();
        TrialResult result = results().get(0);
        assertThat(result.plan().shape().services()).isZero();
        assertThat(result.plan().shape().payloadBytes()).isEqualTo(216);
        assertThat(result.plan().load().ratePerSecond()).isEqualTo(100_000);
        assertThat(result.plan().loops().threading()).isEqualTo("per-service");
        assertThat(result.plan().loops().idle()).isEqualTo("spin");
        assertThat(result.plan().phases().warmupNanos()).isEqualTo(10 * SECOND);
        assertThat(result.plan().phases().measureNanos()).isEqualTo(100 * SECOND);
        assertThat(result.plan().study()).isEqualTo(new TransitStudy(3 * SECOND, List.of()));
        assertThat(laboratory.out().replace('\n', ' '))
                .contains("messages of 256 bytes (40 of them header) at 100,000/s for 100s;")
                .doesNotContain("provisional");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --quick                                 | 2000 | 10000 | 1000
                    --quick --floor 0s                      | 2000 | 10000 |    0
                    --quick --warmup 3s                     | 3000 | 10000 | 1000
                    """)
    void quickTimesApplyUnlessGiven(String typed, long warmup, long duration, long floor) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(typed.split(" ")));
        arguments.addAll(List.of("--transport", "plain"));
        assertThat(transit(arguments.toArray(String[]::new))).isZero();
        TrialResult result = results().get(0);
        assertThat(result.plan().phases().warmupNanos()).isEqualTo(warmup * SECOND / 1000);
        assertThat(result.plan().phases().measureNanos()).isEqualTo(duration * SECOND / 1000);
        assertThat(((TransitStudy) result.plan().study()).floorNanos()).isEqualTo(floor * SECOND / 1000);
        assertThat(laboratory.out()).contains("provisional");
    }

    @Test
    void repetitionsCompareTheFiguresThatTrialsHave() {
        assertThat(transit("--transport", "plain", "--quick", "--trials", "2")).isZero();
        assertThat(laboratory.out()).contains("p50", "p99.99", "allocated/msg").doesNotContain("/floor");
    }

    @Test
    void helpExplainsEveryOptionWithItsOwnDefaults() {
        assertThat(laboratory.run("transit", "--help-all")).isZero();
        assertThat(laboratory.out())
                .contains("--size", "--rate", "--pin", "--floor", "--quick", "--idle", "--engine", "--dir")
                .contains(
                        "(default: 100s)", "(default: spin)", "(default: disruptor,chronicle,aeron)", "(default: 100k)")
                .doesNotContain("--services", "--instances", "--latency-budget", "${");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    --size 39                | --size 39 is less than a message's header; 40 bytes are the least
                    --size 100.5             | '100.5' is not a size
                    --size 541               | --size 541 is more than plain carries; 40 to 540 bytes
                    --rate max               | 'max' is not a number
                    --rate 0                 | --rate 0 is out of range; 0.001 to 10000000 messages per second
                    --pin 0                  | --pin takes two CPUs, such as --pin 0,1, and not 1
                    --pin 0,0                | --pin 0,0: two threads that spin on one CPU wait for each other
                    --pin 0,99999            | --pin 99999 is out of range; 0 to
                    --pin one,two            | 'one' is not a number
                    --floor -1s              | '-1s' is negative
                    --floor 2h               | --floor 2h is out of range; 0s to 1h
                    --idle sleep             | unknown idle strategy 'sleep'; known: default, spin
                    --engine steam           | unknown engine 'steam'; known: baton, reference
                    --warmup 0s              | --warmup 0s is out of range; 1ms to 24h
                    --services 2             | Unknown options: '--services', '2'
                    """)
    void invalidInputIsRefusedInOneLine(String arguments, String line) {
        List<String> typed = new ArrayList<>(List.of(arguments.split(" ")));
        typed.addAll(List.of("--transport", "plain"));
        assertThat(transit(typed.toArray(String[]::new))).isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: ").contains(line);
        assertThat(laboratory.out()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void realMessagesCrossRealTransportsInFreshJvms() throws IOException {
        FakeLaboratory real = FakeLaboratory.withRealTransports(TrialRunner.class);
        real.run(
                "transit",
                "--transport=disruptor,chronicle",
                "--idle=yielding",
                "--rate=2k",
                "--size=2000", // more than the Disruptor's slots have room for by default
                "--warmup=100ms",
                "--duration=300ms",
                "--floor=100ms",
                "--guarantees",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));
        assertThat(real.out().replace('\n', ' '))
                .as(real.err())
                .contains("messages of 2,000 bytes (40 of them header) at 2,000/s for 300ms;")
                .contains("max-payload=1960", "published elsewhere");
        assertThat(results()).hasSize(2).allSatisfy(result -> {
            assertThat(result.delivery().isFaultless())
                    .as("%s", result.outcome())
                    .isTrue();
            assertThat(result.response().count()).isEqualTo(600);
            assertThat(((TransitFindings) result.findings()).floor().count()).isEqualTo(200);
        });
        assertThat(temporary.resolve("data")).doesNotExist();
        Schemas.requireValid(temporary);
    }

    private List<TrialResult> results() throws IOException {
        return LeftResults.below(temporary.resolve("results"));
    }

    private int transit(String... typed) {
        List<String> arguments = new ArrayList<>(List.of("transit"));
        arguments.addAll(List.of("--out", temporary.resolve("results").toString()));
        arguments.addAll(List.of("--dir", temporary.resolve("data").toString()));
        arguments.addAll(List.of(typed));
        return laboratory.run(arguments.toArray(String[]::new));
    }
}
