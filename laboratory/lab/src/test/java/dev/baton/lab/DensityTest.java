package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.schema.Schemas;
import dev.baton.lab.trial.TrialRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code baton density}, mostly with children that measure nothing. */
@Tag("long")
class DensityTest {
    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);

    @Test
    void theLargestNumberThatPassesIsFound() throws IOException {
        assertThat(density("-o", "do=hold-3")).isZero();
        assertThat(laboratory.out())
                .contains("how many chains of 5 services at 1,000 msg/s, payload 0 B, keep p99.9<100ms")
                .contains("plain, baton: 3 chains at 1,000 msg/s keep p99.9 < 100ms; 4 did not (too many).");
        try (Stream<Path> folders = Files.list(temporary.resolve("results"))) {
            Path folder = folders.findFirst().orElseThrow();
            assertThat(folder.resolve("experiment.json")).content().contains("001-plain-baton-cooperative-");
        }
        assertThat(temporary.resolve("data")).doesNotExist();
    }

    @Test
    void collectorsAreSearchedAndMissingOnesSkipped() {
        assertThat(density("-o", "do=hold-1", "--gc", "serial,parallel", "--jvm-flags", "-Da=b;-XX:NoSuchFlag=1"))
                .isZero();
        assertThat(laboratory.out())
                .contains("plain, baton, serial -Da=b: 1 chain at 1,000 msg/s keeps p99.9 < 100ms; 2 did not")
                .contains("plain, baton, parallel -Da=b: 1 chain at 1,000 msg/s keeps p99.9 < 100ms; 2 did not");
        assertThat(laboratory.err())
                .contains("serial -XX:NoSuchFlag=1: skipped, Unrecognized VM option 'NoSuchFlag=1'");
    }

    @Test
    void theMostIsAnAnswerWhenItPasses() {
        assertThat(density("-o", "do=hold-100", "--max", "2")).isZero();
        assertThat(laboratory.out()).contains("at least 2 chains at 1,000 msg/s keep p99.9 < 100ms");
    }

    @Test
    void limitExceededByOneChainFailsTheCommand() {
        assertThat(density("-o", "do=hold-0")).isEqualTo(1);
        assertThat(laboratory.out()).contains("not even one chain at 1,000 msg/s keeps p99.9 < 100ms: too many");
    }

    @Test
    void aBudgetThatRunsOutIsInconclusive() {
        assertThat(density("-o", "do=hold-3", "--budget", "1s")).isEqualTo(4);
        assertThat(laboratory.out()).contains("as the budget ran out");
    }

    @Test
    void primitiveQueueIsRefused() {
        assertThat(density("--engine", "primitive:synchronous-queue", "--max", "2"))
                .isEqualTo(2);
        assertThat(laboratory.complaints())
                .containsExactly("baton: --engine primitive:synchronous-queue: only chain and transit measure primitive"
                        + " queues; omit them");
    }

    @Test
    void filesAreInTheGivenDirectory() {
        assertThat(density("--transport", "filing", "-o", "do=hold-1")).isZero();
        assertThat(laboratory.out()).contains("queues: in " + temporary.resolve("data"));
    }

    @Test
    void threadingsAreComparedSideBySide() {
        assertThat(density("-o", "do=hold-1", "--compare-threading")).isZero();
        assertThat(laboratory.out())
                .contains("plain, baton, cooperative:1: 1 chain ", "plain, baton, per-service: 1 chain ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --rate 1000                    | latency budget 60ms
                    --rate 20k                     | latency budget 15ms
                    --limit p50<2s                 | latency budget 300ms
                    --limit p50<100us              | idle default; at most
                    --latency-budget none          | idle default; at most
                    --latency-budget 5ms           | latency budget 5ms
                    --threading per-service        | idle default; at most
                    """)
    void defaultBudgetFollowsFromLimitAndRate(String arguments, String words) {
        List<String> typed = new ArrayList<>(List.of(arguments.split(" ")));
        typed.addAll(List.of("--max", "1"));
        assertThat(density(typed.toArray(String[]::new))).isZero();
        assertThat(laboratory.out()).contains(words);
    }

    @Test
    void servicesElsewhereAreRefusedWithRemedy() {
        assertThat(density("--services-elsewhere", "h1:8080,h2:8080")).isEqualTo(2);
        assertThat(laboratory.err())
                .contains("density decides how many chains run")
                .contains("'chain --services-elsewhere h1:8080,h2:8080 --instances N'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"density --processes 2", "chain --processes per-chain --instances 2"})
    void severalProcessesNeedATransportThatAllowsThem(String line) {
        FakeLaboratory real = FakeLaboratory.withRealTransports(TrialRunner.class);
        List<String> arguments = new ArrayList<>(List.of(line.split(" ")));
        arguments.addAll(List.of("--transport", "aeron-udp", "--out", temporary.toString()));

        assertThat(real.run(arguments.toArray(String[]::new))).as(real::err).isEqualTo(2);
        assertThat(real.complaints())
                .singleElement()
                .asString()
                .startsWith("baton: --processes ")
                .contains("one process writes all topics of aeron-udp", "omit --processes");
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void helpExplainsEveryOption() {
        assertThat(laboratory.run("density", "--help-all")).isZero();
        assertThat(laboratory.out())
                .contains(
                        "--limit",
                        "--start",
                        "--max",
                        "--processes",
                        "--step",
                        "--budget",
                        "--quick",
                        "--compare-threading")
                .contains("--rate", "--services", "--payload", "--warmup", "--duration", "--seed", "--engine")
                .contains("--threading", "--idle", "--latency-budget", "--heap", "--dir", "--out");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    --limit 100ms           | 2 | limit '100ms' cannot be read; write pNN<duration, several joined by commas
                    --limit p99.9<100ms,    | 2 | limit '' cannot be read; write pNN<duration
                    --max 0                 | 2 | --max 0 is out of range; 1 to 100000
                    --start 5 --max 4       | 2 | --start 5 is more than --max 4
                    --processes 0           | 2 | --processes 0 is out of range; 1 to 1000
                    --processes few         | 2 | --processes 'few' is neither a number of JVMs nor per-chain
                    --processes per-chain --max 1001 | 2 | --max 1001 is out of range; 1 to 1000
                    --step 0                | 2 | --step 0 is out of range; 1 or more
                    --step 0%               | 2 | --step 0% is out of range; above 0%, at most 100%
                    --step few              | 2 | --step 'few' is neither a number of instances nor a percentage
                    --budget 0s             | 2 | --budget 0s is out of range; 100ms to 168h
                    --rate max              | 2 | 'max' is not a number
                    --duration 1s           | 2 | --duration 1s is too short to look at p99.9<100ms: it takes 11s at this rate
                    --latency-budget soon   | 2 | --latency-budget: 'soon' is not a time
                    --engine turbo          | 2 | unknown engine 'turbo'; known: baton, reference
                    --heap 1                | 2 | --heap '1' is not allowed
                    --transport plain,filing --compare-threading | 2 | --compare-threading compares Baton's threadings
                    --threading per-service --max 100000 | 3 | 100,000 instances need
                    """)
    void invalidInputIsRefusedInOneLine(String arguments, int code, String line) {
        assertThat(density(arguments.split(" "))).isEqualTo(code);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: ").contains(line);
        assertThat(laboratory.out()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void realChainsAreSearchedInSeveralProcesses() throws IOException {
        FakeLaboratory real = realDensity("--max=3", "--processes=2");
        assertThat(real.out())
                .contains("disruptor, baton: at least 3 chains at 1,000 msg/s keep p50 < 5s")
                .contains(
                        "slots=256",
                        "cooperative:" + Math.max(1, Runtime.getRuntime().availableProcessors() / 2))
                .contains("2 fresh JVMs each");
        List<TrialResult> joined = LeftResults.below(temporary.resolve("results"), "-n3");
        assertThat(joined).isNotEmpty();
        for (TrialResult whole : joined) {
            assertThat(whole.response().count())
                    .as("every message of both processes")
                    .isEqualTo(Math.round(
                            whole.rate().askedPerSecond() * whole.span().measureNanos() / 1e9));
            assertThat(whole.delivery().lost()).isZero();
            List<String> flags = whole.environment().jvm().flags();
            assertThat(2 * megabytes(flags, "-Xmn"))
                    .as("the young generation is half of the heap, in %s", flags)
                    .isBetween(megabytes(flags, "-Xmx"), megabytes(flags, "-Xmx") + 1);
        }
        Schemas.requireValid(temporary);
    }

    @Test
    void eachChainMayHaveItsOwnProcess() throws IOException {
        FakeLaboratory real = realDensity("--max=2", "--engine=reference", "--processes=per-chain");
        assertThat(real.out())
                .contains("a fresh JVM for each chain", "disruptor, reference: at least 2 chains at 1,000 msg/s keep");
        List<TrialResult> joined = LeftResults.below(temporary.resolve("results"), "-n2");
        assertThat(joined).isNotEmpty();
        for (TrialResult whole : joined) {
            assertThat(whole.plan().shape().instances()).isEqualTo(2);
            assertThat(whole.delivery().lost()).isZero();
            assertThat(whole.machine().memory().residentBytes()).isPositive();
        }
        assertThat(LeftResults.below(temporary.resolve("results"), "-n2-p2"))
                .isNotEmpty()
                .allMatch(part -> part.plan().shape().instances() == 1);
    }

    @Test
    void givenHeapIsNotDivided() throws IOException {
        realDensity("--max=1", "--heap=200m");
        List<TrialResult> trials = LeftResults.below(temporary.resolve("results"), "-n1");
        assertThat(trials).isNotEmpty();
        for (TrialResult trial : trials) {
            assertThat(trial.environment().jvm().flags())
                    .contains("-Xmx200m")
                    .noneMatch(flag -> flag.startsWith("-Xmn"));
        }
    }

    private FakeLaboratory realDensity(String... more) {
        FakeLaboratory real = FakeLaboratory.withRealTransports(TrialRunner.class);
        List<String> arguments = new ArrayList<>(List.of(
                "density",
                "--transport=disruptor",
                "--limit=p50<5s",
                "--warmup=50ms",
                "--duration=300ms",
                "--out=" + temporary.resolve("results")));
        arguments.addAll(List.of(more));
        int code = real.run(arguments.toArray(String[]::new));
        assertThat(code).as(real.err()).isZero();
        return real;
    }

    private static long megabytes(List<String> flags, String option) {
        String flag = flags.stream()
                .filter(each -> each.startsWith(option))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(flag.substring(option.length(), flag.length() - 1));
    }

    private int density(String... typed) {
        List<String> given = List.of(typed);
        List<String> arguments = new ArrayList<>(List.of("density", "--budget", "20m"));
        if (given.contains("--budget")) {
            arguments.remove("--budget");
            arguments.remove("20m");
        }
        arguments.addAll(List.of("--out", temporary.resolve("results").toString()));
        arguments.addAll(List.of("--dir", temporary.resolve("data").toString()));
        if (!given.contains("--transport")) {
            arguments.addAll(List.of("--transport", "plain"));
        }
        arguments.addAll(given);
        return laboratory.run(arguments.toArray(String[]::new));
    }
}
