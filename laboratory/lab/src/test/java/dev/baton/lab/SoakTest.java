package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.ResourceUsage;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.schema.Schemas;
import dev.baton.lab.study.soak.SoakFindings;
import dev.baton.lab.study.soak.Trend;
import dev.baton.lab.study.soak.Trend.Judgement;
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

/** {@code baton soak} from what is typed to what is printed. */
@Tag("long")
class SoakTest {
    @TempDir
    private Path temporary;

    @Test
    void soakCountsResources() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        int code = soak(laboratory, "--transport=chronicle,disruptor", "--duration=6s");
        assertThat(code)
                .as("too short for a trend, if the machine kept up; %s", laboratory.err())
                .isIn(1, 4);
        assertThat(laboratory.err()).doesNotContainPattern("failed: .*grows");
        assertThat(laboratory.out())
                .contains("soak of 6s after 1s of warm-up", "100 %", "per hour", "by chance", "Theil-Sen")
                .contains(
                        "heap after collection", "memory, file-backed", "descriptors", "threads", "disk of the queues");
        for (TrialResult result : results()) {
            assertThat(result.outcome().verdict())
                    .as(result.outcome().reasons().toString())
                    .isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(result.outcome().reasons())
                    .anyMatch(each -> each.startsWith("too few points to judge heap after collection"));
            assertThat(result.delivery().isFaultless()).isTrue();
            assertThat(((SoakFindings) result.findings()).points()).isBetween(4, 6);
            List<ResourceUsage> held = result.timeline().stream()
                    .map(Second::holding)
                    .filter(each -> each != null)
                    .toList();
            assertThat(held).hasSizeBetween(4, 6).allSatisfy(each -> {
                assertThat(each.heapBytes()).isBetween(1L << 20, 1L << 30);
                assertThat(each.threads()).isBetween(5L, 200L);
                assertThat(each.allocatedBytes()).isPositive();
            });
            if (result.plan().subject().transport().equals("chronicle")
                    && held.get(0).maps() != null) {
                assertThat(held.get(0).diskBytes()).isBetween(100L << 10, 100L << 20);
            }
        }
        Schemas.requireValid(temporary);
    }

    @Test
    void aPlantedLeakOfDescriptorsIsCaught() throws IOException {
        aPlantedLeakIsCaught("descriptor", "disruptor", "descriptors");
    }

    /** Each takes a real JVM as many seconds as counts are needed for a slope; 100 KB a second take longer to be much. */
    @Tag("soak")
    @ParameterizedTest
    @CsvSource({
        "heap, disruptor, heap after collection",
        "direct, disruptor, direct buffers",
        "thread, disruptor, threads",
        "disk, chronicle, disk of the queues",
    })
    void aPlantedLeakIsCaught(String leak, String transport, String quantity) throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        int code = soak(
                laboratory,
                "--transport=" + transport,
                "--chain=leaking",
                "--chain-option=leak=" + leak,
                "--chain-option=data=" + temporary.resolve("data"),
                "--duration=" + (leak.equals("heap") ? 40 : 18) + "s");
        assertThat(code).as(laboratory.out() + laboratory.err()).isEqualTo(1);
        assertThat(laboratory.err()).contains(quantity + " grows");
        TrialResult result = results().get(0);
        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(((SoakFindings) result.findings()).growing())
                .extracting(Trend::quantity)
                .contains(quantity);
    }

    @Test
    @Tag("soak")
    void noTrendWithoutALeak() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        soak(laboratory, "--transport=disruptor", "--duration=18s");
        assertThat(((SoakFindings) results().get(0).findings()).trends())
                .as(laboratory.out())
                .noneMatch(each -> each.judgement() == Judgement.GROWS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rate=max|such as --rate 100",
                "--points=5|20 to 1000",
                "--instances=0|1 to 100000",
                "--duration=forever|such as 20ms",
            })
    void impossibleRunIsRefusedWithAlternative(String typed, String remedy) {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(FakeTrial.class);
        List<String> arguments = new ArrayList<>(List.of("soak", "--out=" + temporary.resolve("results")));
        arguments.addAll(List.of(typed.split(" ")));
        assertThat(laboratory.run(arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(laboratory.err()).contains(remedy).hasLineCount(1);
    }

    private int soak(FakeLaboratory laboratory, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "soak",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"),
                "--instances=2",
                "--rate=100",
                "--warmup=1s"));
        arguments.addAll(List.of(more));
        return laboratory.run(arguments.toArray(String[]::new));
    }

    private List<TrialResult> results() throws IOException {
        return LeftResults.below(temporary.resolve("results"));
    }
}
