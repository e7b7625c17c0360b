package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.schema.Schemas;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.operations.line.KnownTransports;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.OptionSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code baton advise}, mostly with children that measure nothing. */
@Tag("long")
class AdviseTest {
    /** The budget of a search with a few trials: they count with the time that they would take. */
    private static final String SHORT = "--budget=90s";

    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = FakeLaboratory.over(
            KnownTransports.of(
                    List.of(new FakeProvider("plain", false, false), new FakeProvider("filing", true, false))),
            FakeTrial.class);

    /** {@code plain} costs 5 us and takes 20 ms, {@code filing} 20 us and 1 ms. */
    private int planted(String limit, String survives, String... more) {
        List<String> typed = new ArrayList<>(List.of(
                "--limit=" + limit,
                "--survives=" + survives,
                SHORT,
                "-o=plain.do=cost-5-20000",
                "-o=filing.do=cost-20-1000"));
        typed.addAll(List.of(more));
        return advise(typed.toArray(String[]::new));
    }

    private int advise(String... typed) {
        List<String> arguments = new ArrayList<>(List.of("advise", "--gc=serial", "--rate=100k"));
        arguments.add("--out=" + temporary.resolve("results"));
        arguments.add("--dir=" + temporary.resolve("data"));
        arguments.addAll(List.of(typed));
        return laboratory.run(arguments.toArray(String[]::new));
    }

    private Path folder() throws IOException {
        try (Stream<Path> folders = Files.list(temporary.resolve("results"))) {
            return folders.findFirst().orElseThrow();
        }
    }

    @Test
    void cheapestTransportWithinLimitIsRecommended() throws IOException {
        assertThat(planted("p99.9<50ms", "nothing", "--core-hour=0.36 EUR", "--payload=300"))
                .as(laboratory.err())
                .isZero();
        String unwrapped = laboratory.out().replaceAll("\\s+", " ");
        assertThat(unwrapped)
                .contains("1 chain of 5 services at 100,000 msg/s each, payload 300 B: keep p99.9<50ms")
                .contains("take: plain, cooperative:")
                .contains("costs: 5.00 us of CPU per message, 0.50 % of a core; needs 1 core and 118 MiB of memory")
                .contains(
                        "; at 0.36 EUR for a core and hour 0.000500 EUR per million messages and 1.31 EUR per month for the"
                                + " CPU time, 263 EUR per month for 1 core")
                .contains("measured on 2 cores; on fewer the limit may break")
                .contains("not promised by plain: visible at once, survives the process")
                .contains("identical trials differed by 0 %")
                .contains("deciding: plain, cooperative:")
                .contains("class Advised");
        JsonNode advice =
                new ObjectMapper().readTree(folder().resolve("advice.json").toFile());
        assertThat(advice.get("end").asText()).isEqualTo("recommended");
        assertThat(advice.get("deciding")).hasSizeGreaterThanOrEqualTo(4);
        assertThat(advice.get("take").get("costs").get("cpuNanosPerMessage").asDouble())
                .isCloseTo(5_000, within(0.001));
        assertThat(advice.get("take").get("costs").get("wholeCores").asInt()).isEqualTo(1);
        assertThat(advice.get("take").get("costs").get("currency").asText()).isEqualTo("EUR");
        assertThat(advice.get("take").get("properties").get("transport").asText())
                .isEqualTo("plain");
        assertThat(folder().resolve("headline.json")).content().contains("Take plain, cooperative:");
        assertThat(folder().resolve("report.html")).content().contains("Take plain, cooperative:");
        assertThat(temporary.resolve("data")).doesNotExist();
        Schemas.requireValid(temporary);

        String[] again = {"chain", "@" + folder().resolve("advice.args"), "--out=" + temporary.resolve("again")};
        assertThat(laboratory.run(again)).as(laboratory.err()).isZero();
    }

    @Test
    void quickTrialsAreMarkedProvisional() throws IOException {
        assertThat(planted("p99.9<50ms", "nothing", "--quick"))
                .as(laboratory.err())
                .isZero();
        assertThat(laboratory.out().replaceAll("\\s+", " ")).contains("provisional (--quick)");
        assertThat(folder().resolve("report.html")).content().contains("provisional (--quick)");
    }

    @Test
    void tightLimitSelectsTheOtherTransport() {
        assertThat(planted("p99.9<5ms", "nothing")).as(laboratory.err()).isZero();
        assertThat(laboratory.out()).contains("take:      filing, cooperative:").contains("FAIL, p99.9 of 20ms");
    }

    @Test
    void transportWithoutGuaranteeIsNotMeasured() {
        assertThat(planted("p99.9<50ms", "process")).as(laboratory.err()).isZero();
        assertThat(laboratory.out())
                .contains("ruled out: plain does not promise that a frame survives the process")
                .contains("take:      filing, cooperative:")
                .doesNotContain("  plain, ");
    }

    @Test
    void noSettingWithinLimitExitsWithOne() throws IOException {
        assertThat(planted("p99.9<500us", "nothing")).isEqualTo(1);
        assertThat(laboratory.out()).contains("nothing to take: no setting that was measured keeps the limit");
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(folder().resolve("advice.args")).doesNotExist();
    }

    @Test
    void trialsThatTheHostDisturbsAreInconclusive() {
        assertThat(advise("--limit=p50<50ms", "--survives=nothing", SHORT, "-o=do=disturbed"))
                .isEqualTo(4);
        assertThat(laboratory.out()).contains("inconclusive: no trial kept the limit, and the host disturbed");
    }

    @Test
    void refusedTrialReportsItsReason() {
        assertThat(advise("--limit=p50<50ms", "--survives=nothing", SHORT, "-o=do=unreachable"))
                .isEqualTo(3);
        assertThat(laboratory.complaints().get(0)).contains("no broker at localhost:1 answered");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    --survives=all                          | --survives 'all' is not known; known: nothing, process, host
                    --survives=host                         | --survives host: no transport promises it: filing does not promise that a frame crosses hosts; plain does not
                    --survives=process --transport=plain    | --survives process: no transport promises it: plain does not promise
                    --budget=5s                             | --budget 5s is too short for an answer: a trial of each transport and 6 that decide take about
                    --budget=0s                             | --budget 0s is out of range; 1s to 168h
                    --core-hour=-1                          | '-1' is not a price above 0; write one such as 0.04
                    --chains=0                              | --chains 0 is out of range; 1 to 100000
                    --payload=501                           | --payload 501 is more than
                    --rate=0                                | --rate 0 is out of range
                    --rate=0.01 --limit=p99.999<1s          | --limit cannot be judged at --rate 0.01: a trial would take longer than 24h
                    --survives=host --brokers=1 --transport=plain | --brokers is for kafka
                    --limit=5ms                             | limit '5ms' cannot be read
                    -o=size=11                              | size='11' is not allowed
                    """)
    void impossibleOptionsAreRefusedInOneLine(String arguments, String line) {
        List<String> typed = new ArrayList<>(List.of(arguments.split(" ")));
        if (!arguments.contains("--survives")) {
            typed.add("--survives=nothing");
        }
        if (!arguments.contains("--limit")) {
            typed.add("--limit=p50<1s");
        }
        assertThat(laboratory.run(command(typed))).as(laboratory.out()).isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).contains(line);
        assertThat(laboratory.out()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --budget=5s                         | 2 | --budget 5s is too short for an answer
                    --budget=5s --transport=plain       | 2 | --budget 5s is too short for an answer
                    --budget=5s --transport=plain,away  | 3 | nothing runs there
                    --budget=5s -o=away.size=1         | 3 | nothing runs there
                    """)
    void missingServerIsErrorOnlyIfRequested(String arguments, int code, String line) {
        FakeLaboratory away = FakeLaboratory.over(
                KnownTransports.of(List.of(new FakeProvider("plain", false, false), new AwayProvider())),
                FakeTrial.class);
        List<String> typed = new ArrayList<>(List.of("--survives=nothing", "--limit=p50<1s"));
        typed.addAll(List.of(arguments.split(" ")));
        assertThat(away.run(command(typed))).as(away.out()).isEqualTo(code);
        assertThat(away.complaints()).singleElement().asString().contains(line);
    }

    @Test
    void refusalNamesBudgetThatIsEnough() {
        String[] limits = {"--survives=nothing", "--limit=p99.9<50ms", "--rate=1k"};
        for (String tooShort : List.of("--budget=5s", "--budget=10m")) {
            List<String> typed = new ArrayList<>(List.of(limits));
            typed.add(tooShort);
            assertThat(laboratory.run(command(typed))).isEqualTo(2);
            Matcher raised = Pattern.compile("raise --budget to (\\S+),").matcher(laboratory.err());
            assertThat(raised.find()).as(laboratory.err()).isTrue();
            typed.set(typed.size() - 1, "--budget=" + raised.group(1));
            typed.add("-o=do=unreachable"); // ends at once what is not refused
            assertThat(laboratory.run(command(typed))).as(laboratory.err()).isEqualTo(3);
        }
    }

    @Test
    void defaultBudgetIsRaisedToWhatIsEnough() {
        String[] typed = {"--survives=nothing", "--limit=p99.9<50ms", "--rate=1k", "--quick", "-o=do=unreachable"};
        FakeLaboratory many = FakeLaboratory.over(
                KnownTransports.of(IntStream.range(0, 40)
                        .<TransportProvider>mapToObj(i -> new FakeProvider("fake" + i, false, false))
                        .toList()),
                FakeTrial.class);
        assertThat(many.run(command(List.of(typed)))).as(many.err()).isEqualTo(3);
    }

    /** A transport whose server runs nowhere. */
    private static final class AwayProvider implements TransportProvider {
        @Override
        public String name() {
            return "away";
        }

        @Override
        public String summary() {
            return "a transport whose server runs nowhere";
        }

        @Override
        public Set<Guarantee> guarantees() {
            return Set.of();
        }

        @Override
        public List<OptionSpec> options() {
            return List.of(new OptionSpec("size", "4", "1 to 10", "how big"));
        }

        @Override
        public Transport open(Map<String, String> options) {
            throw new TransportException("nothing runs there");
        }
    }

    private String[] command(List<String> typed) {
        List<String> all = new ArrayList<>(List.of("advise", "--out=" + temporary.resolve("results")));
        all.add("--dir=" + temporary.resolve("data"));
        if (typed.stream().noneMatch(each -> each.startsWith("--rate"))) {
            all.add("--rate=1000");
        }
        all.addAll(typed);
        return all.toArray(String[]::new);
    }

    @Test
    void questionHasNoDefaults() {
        assertThat(laboratory.run("advise")).isEqualTo(2);
        assertThat(laboratory.err()).contains("--rate", "--limit", "--survives");
    }

    @Test
    void helpExplainsEveryOption() {
        assertThat(laboratory.run("advise", "--help-all")).isZero();
        assertThat(laboratory.out())
                .contains("--rate", "--limit", "--survives", "--chains", "--core-hour", "--budget", "--payload")
                .contains("--chain", "--chain-option")
                .contains("--transport", "--gc", "--heap", "--out", "advice.json", "4 inconclusive");
    }

    @Test
    void realChainsAreMeasured() throws IOException {
        FakeLaboratory real = FakeLaboratory.withRealTransports(TrialRunner.class);
        int code = real.run(
                "advise",
                "--rate=1000",
                "--limit=p50<5s",
                "--survives=nothing",
                "--transport=disruptor",
                "--gc=serial",
                "--heap=256m",
                "--warmup=20ms",
                "--duration=200ms",
                "--budget=50s",
                "--out=" + temporary.resolve("results"));
        assertThat(code).as(real.out() + real.err()).isIn(0, 4); // 4: a busy machine disturbed the trials
        assertThat(real.out()).contains("disruptor, cooperative:1, latency budget");
        Schemas.requireValid(temporary);
    }
}
