package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.request.Limit;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.schema.Schemas;
import dev.baton.lab.study.window.WindowStudy;
import dev.baton.lab.study.window.WindowStudy.Aggregate;
import dev.baton.lab.study.window.WindowStudy.KeyOrder;
import dev.baton.lab.study.window.WindowStudy.State;
import dev.baton.lab.study.window.WindowStudy.WindowFindings;
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

/** {@code baton window}, mostly with children that measure nothing. */
@Tag("long")
class WindowCommandTest {
    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);

    @Test
    void eachStateAndKeyNumberIsATrial() throws IOException {
        assertThat(window("--keys", "10,1k", "--sources", "1"))
                .as(laboratory.err())
                .isZero();
        String number = results().get(0).plan().loops().threading().replace("cooperative:", "");
        String loops = number + (number.equals("1") ? "-loop" : "-loops");
        assertThat(results())
                .extracting(result -> result.plan().id())
                .containsExactlyInAnyOrder(
                        "plain-boxed-10-keys-" + loops,
                        "plain-boxed-1000-keys-" + loops,
                        "plain-primitive-10-keys-" + loops,
                        "plain-primitive-1000-keys-" + loops);
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains(
                        "sliding window of 10s by 10ms, 1,000 events/s in, keys in order, every key out at each step with the count of its events")
                .contains("boxed, 10 keys, ", "primitive, 1,000 keys, ")
                .contains("p99.99<10ms is not judged: of 30,000 steps, 3 lie above the percentile")
                .contains("published elsewhere: other hardware, other method; not ranked")
                .contains("c5.4xlarge, window 10 s, JDK 15-ea33, G1 MaxGCPauseMillis=5");
        assertThat(laboratory.err()).contains("[1/4] plain ", "warming up for 20s");
    }

    @Test
    void partsShareTheRate() throws IOException {
        assertThat(window("--state", "primitive", "--loops", "4")).isZero();
        TrialResult result = results().get(0);
        assertThat(result.plan().shape().instances()).isEqualTo(4);
        assertThat(result.plan().load().ratePerSecond()).isEqualTo(250);
        assertThat(result.plan().loops().threading()).isEqualTo("cooperative:4");
        assertThat(result.plan().study())
                .isEqualTo(new WindowStudy(
                        State.PRIMITIVE,
                        10_000,
                        10_000_000_000L,
                        10_000_000L,
                        limits(result),
                        false,
                        KeyOrder.IN_ORDER,
                        Aggregate.COUNT));
        assertThat(result.plan().limits()).as("1 million steps would be needed").isEmpty();
    }

    private static List<Limit> limits(TrialResult result) {
        return ((WindowStudy) result.plan().study()).shown();
    }

    @ParameterizedTest
    @CsvSource({"serial, 0", "g1, 1"})
    void loopsLeaveCoresToTheCollector(String collector, int less) throws IOException {
        assertThat(window("--state", "primitive", "--gc", collector)).isZero();
        int cores = Runtime.getRuntime().availableProcessors();
        int concurrent = less == 0 ? 0 : Math.max(1, (cores <= 8 ? cores + 2 : 8 + (cores - 8) * 5 / 8 + 2) / 4);
        assertThat(results().get(0).plan().loops().threading())
                .isEqualTo("cooperative:" + Math.max(1, cores - concurrent));
    }

    @Test
    void aLimitIsJudgedWhereTheDurationAllows() throws IOException {
        assertThat(window("--state", "primitive", "--limit", "p99<10ms,p99.9<20ms", "--step", "1ms"))
                .isZero();
        assertThat(results().get(0).plan().limits()).hasToString("[p99<10ms, p99.9<20ms]");
    }

    @Test
    void quickIsMarkedAsProvisional() throws IOException {
        assertThat(window("--quick")).isZero();
        assertThat(laboratory.out()).contains("provisional (--quick)");
        assertThat(results())
                .hasSize(2)
                .allSatisfy(result ->
                        assertThat(result.plan().phases().measureNanos()).isEqualTo(20_000_000_000L));
    }

    @Test
    void helpExplainsEveryOption() {
        assertThat(laboratory.run("window", "--help-all")).isZero();
        assertThat(laboratory.out())
                .contains("--keys", "--state", "--window", "--step", "--rate", "--loops", "--sources", "--limit")
                .contains("--warmup", "--duration", "--quick", "--seed", "--gc", "--heap", "--dir", "--out")
                .contains("(default: disruptor)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    --keys 0                    | 2 | --keys 0 is out of range; 1 to 10000000
                    --keys many                 | 2 | --keys: 'many' is not a number
                    --state heap                | 2 | --state 'heap' is not a state; known: boxed, primitive
                    --state boxed,              | 2 | --state '' is not a state; known: boxed, primitive
                    --loops 0                   | 2 | --loops 0 is out of range; 1 to 1024
                    --sources 0                 | 2 | --sources 0 is out of range; 1 to 1024
                    --sources 20 --keys 10      | 2 | --sources 20 is more than --keys 10; each needs a key
                    --rate 0                    | 2 | --rate 0 is out of range; 1 to 10000000 events per second
                    --rate max                  | 2 | 'max' is not a number
                    --step 10us                 | 2 | --step 10us is out of range; 100us to 168h
                    --step 3ms                  | 2 | --window 10s is not a multiple of --step 3ms
                    --window 5ms                | 2 | --window 5ms is out of range; 10ms to 168h
                    --rate 1m --window 1h       | 2 | are 3,600,000,000 events in a window; at most 1,000,000,000
                    --warmup 5s                 | 2 | --warmup 5s is shorter than --window 10s; the first windows
                    --duration 5ms              | 2 | --duration 5ms is shorter than --step 10ms; no step would end in it
                    --step 5ms --warmup 20s --duration 24h | 2 | --step 5ms makes 17,284,000 steps; at most 10,000,000
                    --limit 10ms                | 2 | limit '10ms' cannot be read
                    --heap 256m --rate 1m       | 2 | --heap 256m does not hold the boxed state of 10,000 keys over 1,000
                    --rate 1m --window 900s     | 3 | the boxed state of 10,000 keys over 90,000 steps takes
                    --aggregate mean            | 2 | --aggregate 'mean' is not known; count, sum or time-integral
                    --arrivals often            | 2 | 'often' is not known; steady, poisson or bursts:N
                    --gc serial --collector-threads 1 | 2 | --collector-threads: this collector has no threads
                    --collector-threads 0       | 2 | --collector-threads 0 is out of range; 1 to 1024
                    --search --trials 2         | 2 | window: a search, also that of --curve, excludes --trials
                    --transport nosuch          | 2 | unknown transport 'nosuch'
                    surplus                     | 2 | 'surplus' is not expected
                    """)
    void invalidInputIsRefusedInOneLine(String arguments, int code, String line) {
        assertThat(window(arguments.split(" "))).isEqualTo(code);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).startsWith("baton: ").contains(line);
        assertThat(laboratory.out()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void theMostItemsAreFoundAmongTheKeys() throws IOException {
        assertThat(search("-o", "do=keep-30")).as(laboratory.err()).isZero();
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("the most items/s of a window that keep p99 < 10ms")
                .contains("a verdict on p99<10ms takes 10,000 steps")
                .contains(
                        "plain primitive, 1 loop: 4,000 items/s (30 keys) keep p99 < 10ms; 5,000 items/s (40 keys) did"
                                + " not (")
                .contains("published elsewhere: other hardware, other method; not ranked");
        assertThat(results())
                .allSatisfy(result -> assertThat(result.plan().limits()).isEmpty());
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("window-search.json", "headline.json", "report.html");
        }
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            Path page = files.filter(file -> file.endsWith("report.html"))
                    .findFirst()
                    .orElseThrow();
            assertThat(page)
                    .content()
                    .contains(
                            "\"throughput\":{\"unit\":\"items/s, in and out\",\"percentile\":99.99,\"series\":[\"plain primitive, 1 loop, G1\"]")
                    .contains("\"itemsPerSecond\":4000.0,\"nanos\":1000447,\"hasFewSamples\":true,\"trials\":")
                    .contains("ZGC, JDK 15-ea33, c5.4xlarge elsewhere");
        }
        Schemas.requireValid(temporary);
    }

    @Test
    void loopsAndCollectorThreadsAreSearchedTogether() {
        assertThat(search("-o", "do=keep-10", "--gc", "g1", "--loops", "1,2", "--collector-threads", "1"))
                .isZero();
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("plain primitive, 1 loop, 1 collecting: 2,000 items/s (10 keys) keep p99 < 10ms;")
                .contains("plain primitive, 2 loops, 1 collecting: 2,000 items/s (10 keys) keep p99 < 10ms;");
    }

    @Test
    void limitExceededByFewestKeysFails() {
        assertThat(search("-o", "do=keep-0")).isEqualTo(1);
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("not even 2,000 items/s (10 keys) keep p99 < 10ms: 400 of 20,000 steps were over the limit");
    }

    @Test
    void aSearchWithoutEnoughTimeIsInconclusive() {
        assertThat(search("-o", "do=keep-30", "--budget", "1s")).isEqualTo(4);
        assertThat(laboratory.err() + laboratory.out()).doesNotContain("keep p99 < 10ms;");
    }

    @Test
    void aSearchOfDisturbedTrialsIsInconclusive() {
        assertThat(search("-o", "do=disturbed")).isEqualTo(4);
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains(
                        "inconclusive, as 3 trials in a row were (the machine stalled): nothing is known to keep p99 < 10ms");
    }

    private int search(String... more) {
        List<String> typed = new ArrayList<>(List.of("--search", "--state", "primitive", "--limit", "p99<10ms"));
        if (!List.of(more).contains("--loops")) {
            typed.addAll(List.of("--loops", "1"));
        }
        typed.addAll(List.of("--keys", "10..50+10"));
        typed.addAll(List.of(more));
        return window(typed.toArray(String[]::new));
    }

    @Test
    void theAggregateAndTheArrivalsAreThoseTyped() throws IOException {
        assertThat(window("--aggregate", "time-integral", "--arrivals", "bursts:5", "--state", "boxed"))
                .as(laboratory.err())
                .isZero();
        TrialResult result = results().get(0);
        assertThat(((WindowStudy) result.plan().study()).aggregate()).isEqualTo(Aggregate.TIME_INTEGRAL);
        assertThat(result.plan().load().burst()).isEqualTo(5);
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("1,000 events/s in (in bursts of 5), keys in order")
                .contains("with the time integral of its value");
    }

    @Test
    void realWindowsAddUpOverARealTransport() throws IOException {
        FakeLaboratory real = FakeLaboratory.withRealTransports(TrialRunner.class);
        int code = real.run(
                "window",
                "--keys=1000",
                "--rate=100k",
                "--window=200ms",
                "--loops=2",
                "--guarantees",
                "--limit=p50<9s",
                "--warmup=300ms",
                "--duration=2s",
                "--out=" + temporary.resolve("results"));
        List<TrialResult> results = results();
        assertThat(results).as(real.err()).hasSize(2);
        for (TrialResult result : results) {
            assertThat(result.delivery().isFaultless())
                    .as("%s", result.delivery().incidents())
                    .isTrue();
            assertThat(result.delivery().sent()).isEqualTo(230_000 + 230 * 1_000);
            assertThat(result.delivery().unsent()).isZero();
            assertThat(result.response().count()).isEqualTo(200);
            assertThat(result.sendDelay().count()).isEqualTo(2 * 200);
            assertThat(result.rate().askedPerSecond()).isEqualTo(200_000);
            WindowFindings found = (WindowFindings) result.findings();
            assertThat(found.steps()).isEqualTo(200);
            assertThat(found.completion().at(50).nanos())
                    .isGreaterThanOrEqualTo(result.response().at(50).nanos());
            assertThat(result.outcome().verdict()).isIn(Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE);
        }
        assertThat(code).isIn(0, 1, 4); // the rate of the last steps, on a machine that does something else as well
        assertThat(real.out()).contains("boxed, 1,000 keys, 2 loops", "200,000", "max-payload=12,");
        Schemas.requireValid(temporary);
    }

    private List<TrialResult> results() throws IOException {
        return LeftResults.below(temporary.resolve("results"));
    }

    private int window(String... typed) {
        List<String> arguments = new ArrayList<>(List.of("window"));
        arguments.addAll(List.of("--out", temporary.resolve("results").toString()));
        arguments.addAll(List.of("--dir", temporary.resolve("data").toString()));
        if (!List.of(typed).contains("--rate")) {
            arguments.addAll(List.of("--rate", "1000")); // the children get the heap of the asked state, touched
        }
        if (!List.of(typed).contains("--transport")) {
            arguments.addAll(List.of("--transport", "plain"));
        }
        arguments.addAll(List.of(typed));
        return laboratory.run(arguments.toArray(String[]::new));
    }
}
