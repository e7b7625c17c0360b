package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Observers.Stages;
import dev.baton.lab.results.Explanation;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.measuring.data.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton chain} in real JVMs over real transports says why its slow messages were slow, and where. */
@Tag("long")
class ExplainedChainTest {
    private static final int ALL_STAGES = 7;

    @TempDir
    private Path temporary;

    @Test
    void tailAndStagesArePrintedAndStored() throws IOException {
        FakeLaboratory laboratory = chain("--tail=90", "--engine=baton,reference", "--transport=disruptor");

        assertThat(laboratory.out())
                .as(laboratory::err)
                .contains("disruptor baton above p90 (", "disruptor reference above p90 (", " messages analysed")
                .contains("stages: a topic from its commit", "topic 3", "\ns3 ");
        assertThat(result("disruptor.trial.json").explanation()).satisfies(explanation -> {
            assertThat(explanation.tail().percentile()).isEqualTo(90);
            assertThat(explanation.tail().joined())
                    .isEqualTo(explanation.tail().messages())
                    .isBetween(50L, 60L);
            assertThat(explanation.stages())
                    .hasSize(ALL_STAGES)
                    .extracting(Stage::samples)
                    .containsOnly(600L);
        });
        assertThat(result("disruptor-reference.trial.json").explanation().stages())
                .isEmpty();
    }

    @Test
    void planContainsTheObservers() throws IOException {
        chain("--observers=off", "--stages=off", "--transport=chronicle");
        assertThat(result("chronicle.trial.json").plan().observers()).isEqualTo(new Observers(false, 99.9, Stages.OFF));
        assertThat(result("chronicle.trial.json").explanation()).isEqualTo(Explanation.NONE);
    }

    private FakeLaboratory chain(String... typed) {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        List<String> common = List.of(
                "chain",
                "--services=3",
                "--rate=1k",
                "--warmup=200ms",
                "--duration=600ms",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));
        assertThat(laboratory.run(
                        Stream.concat(common.stream(), Stream.of(typed)).toArray(String[]::new)))
                .as(laboratory::err)
                .isIn(0, 4); // 4: nobody watched, or a busy machine disturbed it
        return laboratory;
    }

    private TrialResult result(String name) throws IOException {
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            return ResultFolder.readTrial(
                    files.filter(each -> each.getFileName().toString().equals(name))
                            .findFirst()
                            .orElseThrow());
        }
    }
}
