package dev.baton.lab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.ChronicleProvider;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.lab.study.density.ResourceModel;
import dev.baton.lab.study.density.ResourceModel.RequiredResources;
import dev.baton.measuring.data.Host;
import dev.baton.measuring.machine.SystemLimits;
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

    private static Arguments letters(Diagnosis.Reading reading, String letters) {
        return Arguments.of(reading.findings(), letters);
    }

    private static Arguments letters(Finding finding, String letters) {
        return Arguments.of(List.of(finding), letters);
    }

    private static Arguments letters(List<Finding> findings, String letters) {
        return Arguments.of(findings, letters);
    }

    private static SystemLimits limits(long memoryBytes, long descriptors, long maps) {
        return new SystemLimits(memoryBytes, descriptors, maps, 1, "");
    }

    /** A letter for each finding in its order; ? for one that has none. */
    static Stream<Arguments> readings() {
        return Stream.of(
                letters(Settings.host(List.of()), "A"),
                letters(Settings.host(List.of("a hypervisor")), "D"),
                letters(Settings.clock("tsc", List.of("tsc"), 25), "A"),
                letters(Settings.clock("hpet", List.of("tsc"), 1_200), "E"),
                letters(Settings.clock("acpi_pm", List.of(), 4_000), "F"),
                letters(Settings.frequency(new Host.Clocking("performance", null, false), false), "AA"),
                letters(Settings.frequency(new Host.Clocking("performance,powersave", null, true), true), "CB"),
                letters(Settings.cores(8, "4-7", "4-7"), "AA"),
                letters(Settings.cores(4, "2-3", ""), "AB"),
                letters(Settings.cores(2, "", ""), "CB"),
                letters(Settings.cores(1, "", ""), "EB"),
                letters(Settings.hugePages(new Host.Pages("madvise", 0, 0, 0), null), "A"),
                letters(Settings.hugePages(new Host.Pages("always", 5, 0, 0), "madvise"), "C"),
                letters(Settings.swap(new Host.Swap(0L, 0L, 60)), "A"),
                letters(Settings.swap(new Host.Swap(1L << 30, 0L, 1)), "B"),
                letters(Settings.swap(new Host.Swap(1L << 30, 0L, 60)), "C"),
                letters(Settings.swap(new Host.Swap(1L << 30, 4096L, 1)), "D"),
                letters(Settings.numa(1, true), "A"),
                letters(Settings.numa(2, false), "B"),
                letters(Settings.numa(2, true), "C"),
                letters(Settings.group(new Host.Group(null, null, null)), "AA"),
                letters(Settings.group(new Host.Group(1.5, 0L, 1L << 30)), "DC"),
                letters(Settings.group(new Host.Group(1.5, 3L, 8L << 30)), "EA"),
                letters(Settings.process(limits(8L << 30, 1 << 20, 1 << 20)), "AAA"),
                letters(Settings.process(limits(1 << 20, 1024, 65_530)), "DBA"),
                letters(new Steal(0.0, null), "A"),
                letters(new Steal(0.000_5, 0.0), "B"),
                letters(new Steal(null, 0.02), "E"),
                letters(new Steal(0.3, 0.0), "F"),
                letters(new Watch.Stalls(3_000 * MILLI, 1_400, 80 * MICRO, 0), "A"),
                letters(new Watch.Stalls(3_000 * MILLI, 1_400, 3 * MILLI, 2), "D"),
                letters(new Watch.Stalls(3_000 * MILLI, 1_400, 30 * MILLI, 2), "E"),
                letters(new Watch.Stalls(3_000 * MILLI, 1_400, 300 * MILLI, 2), "F"),
                letters(new Watch.Stalls(1, 0, 0, 0), "?"),
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
    void faultsHaveLetterReasonAndRemedy(List<Finding> findings, String letters) {
        assertThat(findings.stream()
                        .map(each -> each.letter() == null ? "?" : each.letter().name())
                        .collect(Collectors.joining()))
                .isEqualTo(letters);
        assertThat(findings).allSatisfy(each -> {
            assertThat(each.found()).isNotBlank();
            assertThat(each.remedy() != null)
                    .as("a remedy for a fault, and only then: %s", each)
                    .isEqualTo(each.isFault());
            assertThat(each.why() != null).isEqualTo(each.isFault());
        });
    }

    @Test
    void durableQueuesAreNotSentToMemory() {
        Quantiles slow = new Quantiles(100_000, 1, 1, 1, 20 * MILLI);
        assertThat(new Appends("/d", "overlay", slow, slow, null).findings())
                .hasSize(3)
                .allSatisfy(
                        each -> assertThat(each.remedy()).contains("LOCAL-DISK").doesNotContain("/dev/shm"));
        assertThat(new Appends("/d", "tmpfs", FAST, FAST, null)
                        .findings()
                        .get(0)
                        .found())
                .isEqualTo("/d is on tmpfs, which is memory: queues there do not survive the host");
    }

    @Test
    void gradeIsWorstLetterAndFindingsAreSorted() {
        Diagnosis diagnosis = Diagnosis.of(List.of(new Steal(null, null)))
                .and(List.of(
                        Settings.numa(2, false),
                        Settings.host(List.of("a hypervisor")),
                        Settings.hugePages(new Host.Pages("never", 0, 0, 0), null),
                        Settings.swap(new Host.Swap(1L << 30, 0L, 60))));
        assertThat(diagnosis.letter()).isEqualTo(GradeLetter.D);
        assertThat(diagnosis.findings().stream().map(Finding::subject))
                .containsExactly("host", "swap", "NUMA", "huge pages", "steal");
        assertThat(diagnosis.grade().letter()).isEqualTo("D");
        assertThat(diagnosis.grade().findings().stream().map(each -> each.letter() + " " + each.what()))
                .containsExactly(
                        "D host: shared or virtual", "C swap: 1.00 GiB, 0 B used, swappiness 60", "B NUMA: 2 nodes");
        assertThat(Diagnosis.of(List.of(new Steal(null, null))).letter()).isEqualTo(GradeLetter.A);
    }

    @Test
    void percentilesWithFewSamplesAreNoVerdict() {
        Quantiles few = new Quantiles(500, 4_000, 90 * MILLI, 100 * MILLI, 100 * MILLI);
        assertThat(few.words()).isEqualTo("p50 4.00 us, p90 (90.0 ms), p99 (100 ms), max 100 ms");
        assertThat(new Wakes(null, 50_000, few, few).findings().get(1).letter()).isEqualTo(GradeLetter.A);
    }

    @Test
    void needsOfThousandChainsMatchDensity() {
        RequiredResources required = ResourceModel.of(
                        new ChronicleProvider().topicFootprint(Map.of()),
                        0,
                        new Shape(5, 1_000, 0),
                        new Load(1_000, Load.Arrivals.EVEN, 1),
                        false,
                        1)
                .at(1_000, 30);
        assertThat(required.descriptors()).isEqualTo(Settings.WANTED_DESCRIPTORS);
        assertThat(required.maps()).isEqualTo(Settings.WANTED_MAPS);
    }
}
