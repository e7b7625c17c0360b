package dev.baton.lab.study.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FakeLaboratory;
import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.study.reproduce.StudyStep.Part;
import dev.baton.operations.terminal.Paint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class ReproduceTest {
    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = FakeLaboratory.withRealTransports(FakeTrial.class);

    static Stream<String> names() {
        return PublishedStudy.all().stream().map(PublishedStudy::name);
    }

    private int reproduce(String... more) {
        return laboratory.run(Stream.of(Stream.of("reproduce"), Stream.of(more), Stream.of("--out=" + temporary))
                .flatMap(each -> each)
                .toArray(String[]::new));
    }

    @Test
    void withoutAStudyTheyAreListed() {
        assertThat(reproduce()).isZero();
        assertThat(laboratory.out()).contains(names().toArray(String[]::new));
        assertThat(names())
                .containsExactly("cloud-cost", "which-jvm", "jitter", "gc-rematch", "green-threads", "small-memory");
    }

    @ParameterizedTest
    @MethodSource("names")
    void planListsStepsAndRunsNothing(String name) {
        assertThat(reproduce(name, "--plan")).isZero();
        assertThat(laboratory.out())
                .contains(
                        "as in the study",
                        "not as in the study",
                        "1. ",
                        "./baton ",
                        "time: at most about ",
                        "from: \"");
        assertThat(temporary).isEmptyDirectory();
    }

    /** Whatever a step types has to be something that its command takes, in both of its lengths. */
    @ParameterizedTest
    @MethodSource("names")
    void everyStepIsAValidCommandLine(String name) {
        for (StudyStep step : PublishedStudy.named(name).steps()) {
            for (boolean isQuick : new boolean[] {true, false}) {
                List<String> typed = step.typed(isQuick);
                FakeLaboratory parser = FakeLaboratory.withRealTransports(FakeTrial.class);
                String[] arguments =
                        Stream.concat(typed.stream(), Stream.of("--help")).toArray(String[]::new);
                assertThat(parser.run(arguments))
                        .as(typed + ": " + parser.err())
                        .isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nothing", "cloud-cost,jitter", "../jitter"})
    void unknownStudyIsRefusedWithKnownOnes(String name) {
        assertThat(reproduce(name)).isEqualTo(2);
        assertThat(laboratory.err()).contains("unknown study", "known: cloud-cost, which-jvm, jitter");
    }

    @Test
    void studyIsMeasuredComparedAndStored() throws IOException {
        assertThat(reproduce("jitter", "--quick")).isZero();
        assertThat(laboratory.out())
                .contains("provisional (--quick)", "safepoints-10m", "HotSpot 1.8.0_60, default", "3,595,101");
        Path folder = onlyFolder();
        assertThat(Files.readString(folder.resolve("reproduction.txt")))
                .contains("as in the study", "safepoints-10m", "3,595,101");
        assertThat(folder.resolve("1-safepoints").resolve("step.txt")).content().endsWith("\n0\n");
    }

    @Test
    void resumedStudyKeepsEndedSteps() throws IOException {
        reproduce("jitter", "--quick");
        Path folder = onlyFolder();
        Path step = folder.resolve("1-safepoints");
        assertThat(reproduce("jitter", "--quick", "--resume=" + folder)).isZero();
        assertThat(laboratory.err()).contains("step 1 of 1: safepoints is kept from before");
        assertThat(experiments(step)).hasSize(1);

        Files.delete(step.resolve("step.txt")); // killed before the step was marked
        assertThat(reproduce("jitter", "--quick", "--resume=" + folder)).isZero();
        assertThat(experiments(step)).hasSize(2);
    }

    @Test
    void onlyTheSameStudyIsResumed() throws IOException {
        reproduce("jitter", "--quick");
        Path folder = onlyFolder();
        for (List<String> other : List.of(
                List.of("jitter", "--resume=" + folder),
                List.of("gc-rematch", "--quick", "--resume=" + folder),
                List.of("jitter", "--quick", "--resume=" + temporary),
                List.of("jitter", "--quick", "--resume=" + folder.resolve("none")))) {
            assertThat(reproduce(other.toArray(String[]::new))).isEqualTo(2);
        }
        assertThat(laboratory.err()).contains("is not a folder that 'baton reproduce gc-rematch --quick' made");
    }

    @ParameterizedTest
    @MethodSource("names")
    void unmeasuredStudyShowsPublishedFigures(String name) {
        PublishedStudy study = PublishedStudy.named(name);
        List<Reproduced> none =
                study.steps().stream().map(step -> new Reproduced(step, null)).toList();
        assertThat(study.figures(none, new Paint(false), 100))
                .contains("nothing was measured", PublishedFile.TITLE)
                .anyMatch(line -> line.startsWith("from: \""));
    }

    @Test
    void theRatioIsSplitIntoEngineAndPacing() {
        String text = String.join(
                " ",
                CloudCost.ratio(Map.of(
                        Part.ARTICLE, chains(10, true),
                        Part.ALLOWED, chains(50, true),
                        Part.UNPACED, chains(40, false),
                        Part.PACED, chains(800, true))));
        assertThat(text)
                .contains("Baton carries 80.0 times", "it is 4.00 times: that is the engine")
                .contains("may carry 5.00 times as many, and Baton with pacing 20.0 times", "no comparison of queues")
                .contains("The ratio is inconclusive");
        assertThat(CloudCost.ratio(Map.of(Part.ARTICLE, chains(10, true)))).isEmpty();
    }

    @Test
    void eachPartOfTheRatioHasOneStep() {
        assertThat(PublishedStudy.named("cloud-cost").steps())
                .extracting(StudyStep::part)
                .containsOnlyOnce(Part.ARTICLE, Part.ALLOWED, Part.UNPACED, Part.PACED);
    }

    @Test
    void numberOfChainsIsTheSearchsResult(@TempDir Path folder) throws IOException {
        Headline.Cost own = chains(12, false);
        Headline.Cost other = new Headline.Cost("elsewhere", 500, 7, false, true, true, null, null);
        Json.write(
                folder.resolve(Headline.FILE),
                new Headline(Headline.SCHEMA, "how many", List.of(), List.of(other, own)));
        StudyStep step = PublishedStudy.named("cloud-cost").steps().get(0);
        Reproduced reproduced = new Reproduced(step, new ReadExperiment(folder, null, List.of(), List.of()));

        assertThat(reproduced.found()).contains(own);
        assertThat(CloudCost.answer(own)).startsWith("12 chains (inconclusive) on 2 cores, 6.00 per core");
        assertThat(CloudCost.answer(chains(16, true))).startsWith("16 chains on 2 cores");
        assertThat(new Reproduced(step, null).found()).isEmpty();
    }

    private static Headline.Cost chains(int chains, boolean isSure) {
        return new Headline.Cost("here", chains, 2, false, isSure, false, null, null);
    }

    @Test
    void publishedRowsHaveAFieldForEveryColumn() {
        assertThat(PublishedFile.rows("window-gc.csv"))
                .hasSize(10)
                .allSatisfy(row -> assertThat(row).hasSize(9));
        assertThat(PublishedFile.rows("small-memory.csv"))
                .hasSize(9)
                .allSatisfy(row -> assertThat(row).hasSize(11));
        assertThat(PublishedFile.rows("chain-density.csv"))
                .allSatisfy(row -> assertThat(row).hasSize(7));
    }

    private Path onlyFolder() throws IOException {
        List<Path> all = experiments(temporary);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static List<Path> experiments(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(Files::isDirectory).toList();
        }
    }
}
