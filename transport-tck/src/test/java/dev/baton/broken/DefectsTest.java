package dev.baton.broken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.broken.defects.BatchDefects;
import dev.baton.broken.defects.BoundaryDefects;
import dev.baton.broken.defects.CapacityDefects;
import dev.baton.broken.defects.ChainDefects;
import dev.baton.broken.defects.ChecksumDefects;
import dev.baton.broken.defects.ClaimDefects;
import dev.baton.broken.defects.CloseDefects;
import dev.baton.broken.defects.CompositionDefects;
import dev.baton.broken.defects.ConsumptionDefects;
import dev.baton.broken.defects.ContentDefects;
import dev.baton.broken.defects.FailureDefects;
import dev.baton.broken.defects.InspectionDefects;
import dev.baton.broken.defects.LifeDefects;
import dev.baton.broken.defects.NameDefects;
import dev.baton.broken.defects.NetworkDefects;
import dev.baton.broken.defects.OriginDefects;
import dev.baton.broken.defects.PassageDefects;
import dev.baton.broken.defects.PlantedDefect;
import dev.baton.broken.defects.PositionDefects;
import dev.baton.broken.defects.ProviderDefects;
import dev.baton.broken.defects.RivalDefects;
import dev.baton.broken.defects.StorageDefects;
import dev.baton.broken.defects.TopicDefects;
import dev.baton.broken.defects.WaitDefects;
import dev.baton.broken.defects.WriterDefects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract catches every planted defect, and the report names the fault. */
@Tag("long")
class DefectsTest {
    private static final int ENOUGH = 230;

    private static final Path CONTRACT = Path.of("src/main/java/dev/baton/tck");

    /** What other classes of the contract extend. */
    private static final Set<String> WITHOUT_TESTS = Set.of("TransportTck", "WholeChainTck", "RivalsTck");

    /** Its members are processes that find their transport by name; what is in memory is not shared with them. */
    private static final String OF_PROCESSES = "GroupTck";

    /** Most defects make a test wait in vain, many of them all tests of a class. */
    private static final Duration SOON = Duration.ofMillis(200);

    private static final Duration LATE = Duration.ofSeconds(3);

    /** The longest time from the begin of a class to the failure that names the defect. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** A failure that names no fault: of a wait without what there was and which rule is broken, or a bare exception. */
    private static final Pattern NAMELESS =
            Pattern.compile("[^:]*: (waited \\d+ ms for (?!.*; ).*|null|Cannot invoke .*)");

    static Stream<PlantedDefect> defects() {
        return Stream.of(
                        ClaimDefects.all(),
                        BatchDefects.all(),
                        CapacityDefects.all(),
                        ConsumptionDefects.all(),
                        PositionDefects.all(),
                        WriterDefects.all(),
                        ContentDefects.all(),
                        LifeDefects.all(),
                        TopicDefects.all(),
                        ChainDefects.all(),
                        ChecksumDefects.all(),
                        InspectionDefects.all(),
                        CompositionDefects.all(),
                        PassageDefects.all(),
                        RivalDefects.all(),
                        FailureDefects.all(),
                        NetworkDefects.all(),
                        StorageDefects.all(),
                        WaitDefects.all(),
                        CloseDefects.all(),
                        OriginDefects.all(),
                        NameDefects.all(),
                        BoundaryDefects.all(),
                        ProviderDefects.all())
                .flatMap(Function.identity());
    }

    /** Runs are concurrent, as most of their time is spent in waits that end in vain. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("defects")
    @Execution(ExecutionMode.CONCURRENT)
    void theContractCatches(PlantedDefect defect) throws Exception {
        ContractRun.Outcome outcome = ContractRun.of(defect, SOON);
        if (outcome.caught() == null) {
            outcome = ContractRun.of(defect, LATE); // a busy machine may not even come to the fault so soon
        }

        assertThat(outcome.caught())
                .as(
                        "%s over a transport where %s; failures: %s",
                        defect.caughtBy().getSimpleName(), defect.name(), outcome.failures())
                .isNotNull()
                .doesNotMatch(NAMELESS);
        assertThat(outcome.caughtAfter()).as("the time until it is caught").isLessThan(LONGEST);
    }

    @Test
    void thereAreEnoughDefectsAndNoneTwice() {
        List<String> names = defects().map(PlantedDefect::name).toList();

        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(ENOUGH);
    }

    @Test
    void everyClassOfTheContractCatchesOne() throws IOException {
        Set<String> catching =
                defects().map(defect -> defect.caughtBy().getSimpleName()).collect(Collectors.toSet());
        assertThat(classes().stream().filter(name -> !catching.contains(name))).containsExactly(OF_PROCESSES);
    }

    @Test
    void packageDocumentationNamesEveryClass() throws IOException {
        String documentation = Files.readString(CONTRACT.resolve("package-info.java"));
        assertThat(classes())
                .hasSizeGreaterThan(20)
                .allSatisfy(name -> assertThat(documentation)
                        .containsPattern("<td>[^/]*dev\\.baton\\.tck\\.(\\w+\\.)?" + name + "\\b"));
    }

    private static List<String> classes() throws IOException {
        try (Stream<Path> files = Files.walk(CONTRACT)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Tck.java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .filter(name -> !WITHOUT_TESTS.contains(name))
                    .toList();
        }
    }
}
