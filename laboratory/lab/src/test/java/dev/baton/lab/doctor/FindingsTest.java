package dev.baton.lab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.ChronicleProvider;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.lab.study.density.ResourceModel;
import dev.baton.lab.study.density.ResourceModel.RequiredResources;
import dev.baton.measuring.data.Host;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which letter follows from which figures. */
class FindingsTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000 * MICRO;
    private static final Quantiles FAST = new Quantiles(100_000, 100, 200, 300, 400);

    private static Arguments letters(Reading reading, String letters) {
        return Arguments.of(reading, letters);
    }

    /** A letter for each finding in its order; ? for one that has none. */
    static Stream<Arguments> readings() {
        return Stream.of(
                letters(new SharedHost(List.of()), "A"),
                letters(new SharedHost(List.of("a hypervisor")), "D"),
                letters(new ClockSource("tsc", List.of("tsc"), 25), "A"),
                letters(new ClockSource("hpet", List.of("tsc"), 1_200), "E"),
                letters(new ClockSource("acpi_pm", List.of(), 4_000), "F"),
                letters(new Frequency(new Host.Clocking("performance", null, false), false), "AA"),
                letters(new Frequency(new Host.Clocking("performance,powersave", null, true), true), "CB"),
                letters(new Isolation(8, "4-7", "4-7"), "AA"),
                letters(new Isolation(4, "2-3", ""), "AB"),
                letters(new Isolation(2, "", ""), "CB"),
                letters(new Isolation(1, "", ""), "EB"),
                letters(new HugePages(new Host.Pages("madvise", 0, 0, 0), null), "A"),
                letters(new HugePages(new Host.Pages("always", 5, 0, 0), "madvise"), "C"),
                letters(new Swap(new Host.Swap(0L, 0L, 60)), "A"),
                letters(new Swap(new Host.Swap(1L << 30, 0L, 1)), "B"),
                letters(new Swap(new Host.Swap(1L << 30, 0L, 60)), "C"),
                letters(new Swap(new Host.Swap(1L << 30, 4096L, 1)), "D"),
                letters(new Numa(1, true), "A"),
                letters(new Numa(2, false), "B"),
                letters(new Numa(2, true), "C"),
                letters(new GroupLimits(new Host.Group(null, null, null)), "AA"),
                letters(new GroupLimits(new Host.Group(1.5, 0L, 1L << 30)), "DC"),
                letters(new GroupLimits(new Host.Group(1.5, 3L, 8L << 30)), "EA"),
                letters(new ProcessLimits(8L << 30, 1 << 20, 1 << 20), "AAA"),
                letters(new ProcessLimits(1 << 20, 1024, 65_530), "DBA"),
                letters(new Steal(0.0, null), "A"),
                letters(new Steal(0.000_5, 0.0), "B"),
                letters(new Steal(null, 0.02), "E"),
                letters(new Steal(0.3, 0.0), "F"),
                letters(new Stalls(3_000 * MILLI, 1_400, 80 * MICRO, 0), "A"),
                letters(new Stalls(3_000 * MILLI, 1_400, 3 * MILLI, 2), "D"),
                letters(new Stalls(3_000 * MILLI, 1_400, 30 * MILLI, 2), "E"),
                letters(new Stalls(3_000 * MILLI, 1_400, 300 * MILLI, 2), "F"),
                letters(new Stalls(1, 0, 0, 0), "?"),
                letters(new Competitors(4, List.of()), "A"),
                letters(new Competitors(4, List.of(new Competitors.User(7, "x", 0.3))), "C"),
                letters(new Competitors(2, List.of(new Competitors.User(7, "x", 1.9))), "F"),
                letters(wakes(60 * MICRO, 5 * MICRO), "AA"),
                letters(wakes(120 * MICRO, 20 * MICRO), "BB"),
                letters(wakes(9 * MILLI, 2 * MILLI), "EE"),
                letters(new Appends("/d", "tmpfs", FAST, FAST, null), "AAA"),
                letters(new Appends("/d", "ext4", FAST, null, "flags"), "BA?"),
                letters(new Appends("/d", "nfs4", new Quantiles(100_000, 1, 1, 1, 20 * MILLI), FAST, null), "ECA"),
                letters(new Room(4L << 30, "/tmp", 1L << 20), "AD"),
                letters(new Room(null, "/dev/shm", null), "?"),
                letters(new Ports(null, true, "java (7)"), "AA"),
                letters(new Ports("refused", false, null), "FA"));
    }

    private static Wakes wakes(long pause, long wake) {
        return new Wakes(
                50_000L,
                50_000,
                new Quantiles(1_000, pause, pause, pause, pause),
                new Quantiles(1_000, wake, wake, wake, wake));
    }

    @ParameterizedTest
    @MethodSource("readings")
    void eachFigureHasItsLetterAndEachFaultItsReasonAndRemedy(Reading reading, String letters) {
        assertThat(reading.findings().stream()
                        .map(each -> each.letter() == null ? "?" : each.letter().name())
                        .collect(Collectors.joining()))
                .isEqualTo(letters);
        assertThat(reading.findings()).allSatisfy(each -> {
            assertThat(each.found()).isNotBlank();
            assertThat(each.remedy() != null)
                    .as("a remedy for a fault, and only then: %s", each)
                    .isEqualTo(each.isFault());
            assertThat(each.why() != null).isEqualTo(each.isFault());
        });
    }

    @Test
    void theGradeIsTheWorstLetterAndFindingsComeWorstFirst() {
        Diagnosis diagnosis = Diagnosis.of(List.of(
                new Numa(2, false),
                new SharedHost(List.of("a hypervisor")),
                new Steal(null, null),
                new HugePages(new Host.Pages("never", 0, 0, 0), null),
                new Swap(new Host.Swap(1L << 30, 0L, 60))));
        assertThat(diagnosis.letter()).isEqualTo(GradeLetter.D);
        assertThat(diagnosis.findings().stream().map(Finding::subject))
                .containsExactly("host", "swap", "NUMA", "huge pages", "steal");
        assertThat(diagnosis.grade().letter()).isEqualTo("D");
        assertThat(diagnosis.grade().findings().stream().map(each -> each.letter() + " " + each.what()))
                .containsExactly(
                        "D host: shared or virtual", "C swap: 1 GiB, 0 B used, swappiness 60", "B NUMA: 2 nodes");
        assertThat(Diagnosis.of(List.of(new Steal(null, null))).letter()).isEqualTo(GradeLetter.A);
    }

    @Test
    void percentilesWithFewSamplesAboveThemStandInParenthesesAndAreNoVerdict() {
        Quantiles few = new Quantiles(500, 4_000, 90 * MILLI, 100 * MILLI, 100 * MILLI);
        assertThat(few.words()).isEqualTo("p50 4 us, p90 (90 ms), p99 (100 ms), max 100 ms");
        assertThat(new Wakes(null, 50_000, few, few).findings().get(1).letter()).isEqualTo(GradeLetter.A);
    }

    @Test
    void whatAThousandChainsNeedIsWhatDensityReckons() {
        RequiredResources required = ResourceModel.of(
                        new ChronicleProvider().topicFootprint(Map.of()),
                        0,
                        new Shape(5, 1_000, 0),
                        new Load(1_000, Load.Arrivals.EVEN, 1),
                        false,
                        1)
                .at(1_000, 30);
        assertThat(required.descriptors()).isEqualTo(ProcessLimits.WANTED_DESCRIPTORS);
        assertThat(required.maps()).isEqualTo(ProcessLimits.WANTED_MAPS);
    }
}
