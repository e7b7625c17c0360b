package dev.baton.tck.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract catches every planted defect, and the report names the fault. */
class DefectsTest {
    private static final int ENOUGH = 40;

    /** Most defects make a test wait in vain, many of them all tests of a class. */
    private static final Duration SOON = Duration.ofMillis(200);

    private static final Duration LATE = Duration.ofSeconds(3);

    static Stream<Defect> defects() {
        return Stream.of(
                        ClaimDefects.all(),
                        BatchDefects.all(),
                        CapacityDefects.all(),
                        ConsumptionDefects.all(),
                        PositionDefects.all(),
                        StartDefects.all(),
                        WriterDefects.all(),
                        ContentDefects.all(),
                        LifeDefects.all(),
                        TopicDefects.all(),
                        ChainDefects.all(),
                        EdgeDefects.all(),
                        ChecksumDefects.all(),
                        InspectionDefects.all(),
                        CompositionDefects.all(),
                        ProviderDefects.all())
                .flatMap(Function.identity());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("defects")
    void theContractCatches(Defect defect) throws Exception {
        Pattern report = Pattern.compile(defect.report());
        List<String> failures = ContractRun.failures(defect, SOON);
        if (failures.stream().noneMatch(failure -> report.matcher(failure).lookingAt())) {
            failures = ContractRun.failures(defect, LATE); // a busy machine may not even come to the fault so soon
        }

        assertThat(failures)
                .as("%s over a transport where %s", defect.caughtBy().getSimpleName(), defect.name())
                .anyMatch(failure -> report.matcher(failure).lookingAt());
    }

    @Test
    void noDefectIsPlantedTwiceAndThereAreEnough() {
        List<String> names = defects().map(Defect::name).toList();

        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(ENOUGH);
    }
}
