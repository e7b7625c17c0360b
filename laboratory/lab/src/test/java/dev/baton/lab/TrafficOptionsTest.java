package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.request.Keys;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.request.Work;
import dev.baton.lab.results.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of {@code baton chain} for the work of services and the messages, over children that measure nothing. */
@Tag("slow")
class TrafficOptionsTest {
    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);

    private int chain(String... options) {
        List<String> typed =
                new ArrayList<>(List.of("chain", "--transport=plain", "--out=" + temporary.resolve("out")));
        typed.addAll(List.of(options));
        return laboratory.run(typed.toArray(String[]::new));
    }

    private List<TrialPlan> plans() throws IOException {
        return LeftResults.below(temporary.resolve("out")).stream()
                .map(TrialResult::plan)
                .toList();
    }

    @Test
    void planHasWorkSizesAndKeys() throws IOException {
        assertThat(chain("--work=5us,block:1ms", "--services=2", "--payload=10..20", "--keys=7", "--skew=zipf:1.1"))
                .as(laboratory.err())
                .isZero();
        TrialPlan plan = plans().get(0);
        assertThat(plan.shape().work()).containsExactly(Work.of("5us"), Work.of("block:1ms"));
        assertThat(plan.shape().sizes()).hasToString("10..20");
        assertThat(plan.shape().payloadBytes()).isEqualTo(20);
        assertThat(plan.shape().keys()).isEqualTo(new Keys(7, 1.1, 1));
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("(work busy:5us, block:1ms)", "payload up to 20 B (10..20), 7 keys (zipf:1.1)");
    }

    @Test
    void replayedFileSetsRateAndSizes() throws IOException {
        Path file = Files.writeString(temporary.resolve("recorded.csv"), "1000000,30\n3000000,20\n");
        assertThat(chain("--replay=" + file + ",10x")).as(laboratory.err()).isZero();
        TrialPlan plan = plans().get(0);
        assertThat(plan.load().ratePerSecond()).isEqualTo(5_000);
        assertThat(plan.load().replay().file().rows()).isEqualTo(2);
        assertThat(plan.shape().payloadBytes()).isEqualTo(30);
        assertThat(laboratory.out()).contains("at 5,000 msg/s on average (recorded.csv replayed at 10x)");
    }

    @Test
    void idleChainsRunWithEachStrategy() throws IOException {
        assertThat(chain("--rate=0")).as(laboratory.err()).isZero();
        assertThat(plans())
                .extracting(plan -> plan.loops().idle())
                .containsExactlyInAnyOrder("backoff", "park:50us", "yielding", "spin");
        assertThat(plans()).extracting(TrialPlan::load).allMatch(Load::isNone);
        assertThat(laboratory.out()).contains("without messages", "CPU, loops and clients", "park:50us", "spin");
    }

    @Test
    void repeatedIdleTrialsShowWhatTheyMeasure() {
        assertThat(chain("--rate=0", "--trials=2")).as(laboratory.err()).isZero();
        assertThat(laboratory.out())
                .contains("plain-backoff", "plain-park-50us", "CPU", "RSS", "12.5 %")
                .doesNotContain("p99", "per second");
    }

    @Test
    void curveMeasuresTheMaximumFirst() throws IOException {
        assertThat(chain("--curve=30%..100%")).as(laboratory.err()).isZero();
        assertThat(laboratory.out())
                .contains("maximum 1,000 msg/s", "run for --duration", "include the warm-up", "verdict")
                .containsSubsequence("\n30 %", "\n100 %");
        assertThat(plans()).hasSize(9);
        List<String> run = Pattern.compile("plain-(max|[0-9]+pct)")
                .matcher(laboratory.err())
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
        assertThat(run)
                .containsExactly(
                        "plain-max",
                        "plain-30pct",
                        "plain-40pct",
                        "plain-50pct",
                        "plain-60pct",
                        "plain-70pct",
                        "plain-80pct",
                        "plain-90pct",
                        "plain-100pct");
    }

    @ParameterizedTest
    @CsvSource({"do=disturbed, 4", "do=hold-0, 1"})
    void curveNeedsAMaximum(String behaviour, int code) throws IOException {
        assertThat(chain("--curve=30%..100%", "-o", behaviour)).isEqualTo(code);
        assertThat(plans()).hasSize(1);
        assertThat(laboratory.out()).contains("its maximum is not known").doesNotContain("of the rate");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--work=5           | --work: work '5' is not known; 5us, busy:5us",
                "--work=1us,2us     | --work: work of 2 services; one value for all, or 5",
                "--payload=9..5     | --payload '9..5' is no distribution of sizes",
                "--payload=file:/no | does not exist",
                "--replay=/no       | --replay: /no does not exist",
                "--keys=0           | --keys 0 is out of range",
                "--partitions=2     | the key of a message selects its partition; add --keys",
                "--keys=9 --partitions=65 | --partitions 65 is out of range; 1 to 64",
                "--keys=9 --partitions=2 --generator=loop | does not send to others; omit it",
                "--keys=9 --partitions=2 --backlog=10 | run in one JVM, each with a part of the messages",
                "--keys=9 --partitions=2 --stages=on | with --partitions nothing is timed",
                "--skew=zipf:1      | add --keys",
                "--curve=5..100     | A%..B% with percent of the maximum",
                "--curve=50%..5%    | A%..B% with percent of the maximum",
            })
    void badValuesAreRefusedBeforeAnythingRuns(String option, String complaint) {
        assertThat(chain(option.split(" "))).isEqualTo(2);
        assertThat(laboratory.err()).contains(complaint);
        assertThat(temporary.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rate=0           | --arrivals=poisson       | --rate 0 has none",
                "--rate=0           | --limit=p50<1ms          | --rate 0 has none",
                "--curve=5%..100%   | --rate=5                 | --curve chooses the loads",
                "--work=5us         | --processes=per-service  | omit it, or --processes per-service",
            })
    void optionsThatContradictAreRefused(String one, String other, String complaint) {
        assertThat(chain(one, other)).isEqualTo(2);
        assertThat(laboratory.err()).contains(complaint);
    }
}
