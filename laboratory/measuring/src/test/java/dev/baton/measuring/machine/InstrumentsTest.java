package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.baton.measuring.data.HostActivity.Cause;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.Memory;
import dev.baton.measuring.machine.MachineWatch.Sample;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstrumentsTest {
    private static final List<String> EARLIER =
            List.of("cpu  100 0 50 800 50 0 0 0 0 0", "cpu0 50 0 25 400 25 0 0 0 0 0", "cpu1 50 0 25 400 25 0 0 0 0 0");
    private static final List<String> LATER = List.of(
            "cpu  150 0 60 900 50 0 0 40 30 0",
            "cpu0 100 0 35 400 25 0 0 40 30 0",
            "cpu1 50 0 25 500 25 0 0 0 0 0",
            "intr 5");

    @Test
    void stealAndLoadAreSharesOfTime() {
        CpuTicks earlier = CpuTicks.parse(EARLIER);
        CpuTicks later = CpuTicks.parse(LATER);

        assertThat(later.since(earlier).stealShare()).isCloseTo(0.2, within(1e-9));
        assertThat(later.since(earlier).worstStealShare()).isCloseTo(0.4, within(1e-9));
        assertThat(later.since(earlier).busyShare()).isCloseTo(0.3, within(1e-9));
        assertThat(later.each().size()).isEqualTo(2);
    }

    @Test
    void unknownFiguresAreAbsent() {
        CpuTicks none = CpuTicks.parse(List.of());

        assertThat(none.isAbsent()).isTrue();
        assertThat(none.since(none).stealShare()).isNull();
        assertThat(none.since(none).worstStealShare()).isNull();
        assertThat(Processes.memory(List.<String>of())).isNull();
        assertThat(Processes.cpuNanos(List.of())).isNull();
        assertThat(KernelTree.OF_THIS_MACHINE.lines("no/such/file")).isEmpty();
    }

    @Test
    void memoryIsSplitIntoItsParts() {
        assertThat(Processes.memory(List.of(
                        "VmRSS:\t    2100 kB", "RssAnon:\t     148 kB", "RssFile:\t 1952 kB", "RssShmem:\t  8 kB")))
                .isEqualTo(new Memory(2100 * 1024, 148L * 1024, 1960L * 1024));
        assertThat(Processes.contextSwitches(List.of("voluntary_ctxt_switches:\t7", "nonvoluntary_ctxt_switches:\t3")))
                .isEqualTo(10);
    }

    @Test
    void stallsHaveTheCauseThatTheirSecondShows() {
        assertThat(sample(0.5, 0.0, 0.1).causeOfStall()).isEqualTo(Cause.HOST);
        assertThat(sample(0.96, 0.03, 0.0).causeOfStall()).isEqualTo(Cause.HOST);
        assertThat(sample(0.99, 0.0, 0.0).causeOfStall()).isEqualTo(Cause.BUSY);
        assertThat(sample(0.99, 0.0, 0.7).causeOfStall()).isEqualTo(Cause.OTHER_PROCESSES);
        assertThat(sample(null, null, null).causeOfStall()).isEqualTo(Cause.HOST);
    }

    @Test
    void waitForCoreIsNoHostStall() {
        assertThat(sample(0.5, 0.0, 0.0).causeOfWait()).isEqualTo(Cause.BUSY);
        assertThat(sample(0.5, 0.0, 0.7).causeOfWait()).isEqualTo(Cause.OTHER_PROCESSES);
        assertThat(sample(0.99, 0.0, 0.0).causeOfWait()).isEqualTo(Cause.BUSY);
        assertThat(sample(0.99, 0.03, 0.7).causeOfWait()).isEqualTo(Cause.HOST);
    }

    @Test
    void busyCoresAreThoseOfTheNamedCpus() {
        CpuTicks passed = CpuTicks.parse(LATER).since(CpuTicks.parse(EARLIER));
        BitSet second = new BitSet();
        second.set(1);
        BitSet both = new BitSet();
        both.set(0, 2);

        assertThat(passed.busyCores(second)).isZero();
        assertThat(passed.busyCores(both)).isCloseTo(0.6, within(1e-9));
    }

    private static Sample sample(Double busy, Double steal, Double others) {
        return new Sample(0, 0.0, null, steal, busy, others, null, 0);
    }

    @Test
    void pausesOfAnyCollectorAreParsed() {
        Pauses pauses = Pauses.parse(
                List.of(
                        "[1000000ns] GC(6)   Other: 0.0ms",
                        "[2000000ns] GC(6) Pause Young (Normal) (G1 Evacuation Pause) 165M->16M(256M) 0.872ms",
                        "[2000100ns] Safepoint \"G1CollectForAllocation\", Time since last: 5141316 ns,"
                                + " Reaching safepoint: 1823 ns, Cleanup: 1262 ns, At safepoint: 881503 ns, Total: 884588 ns",
                        "[3000000ns] GC(7) O: Pause Mark End 0.012ms",
                        "[3500000ns] GC(7) y: Pause Relocate Start 0.006ms",
                        "[3600000ns] Safepoint \"ZRelocateStartOld\", Time since last: 1792490 ns, Reaching safepoint:"
                                + " 9999 ns, At safepoint: 11137 ns, Leaving safepoint: 471 ns, Total: 12759 ns, Threads: 0"
                                + " runnable, 10 total",
                        "[9000000ns] GC(8) Pause Full (System.gc()) 157M->9M(37M) 15.794ms",
                        "[99000000ns] GC(9) Pause Full (System.gc()) 157M->9M(37M) 1.794ms"),
                0,
                50_000_000);

        assertThat(pauses.collections()).isEqualTo(3);
        assertThat(pauses.gcPauses()).hasSize(4);
        assertThat(Pauses.worst(pauses.gcPauses(), Evidence.Stop::nanos)).isEqualTo(15_794_000);
        assertThat(Pauses.sum(pauses.gcPauses())).isEqualTo(872_000 + 12_000 + 6_000 + 15_794_000);
        assertThat(Pauses.sum(pauses.stops())).isEqualTo(884_588 + 12_759);
        assertThat(Pauses.worst(pauses.stops(), Evidence.Stop::reachingNanos)).isEqualTo(9_999);
        assertThat(Pauses.overlapNanos(pauses.stops(), 1_000_000, 2_500_000)).isEqualTo(884_588);
        assertThat(Pauses.overlapNanos(pauses.stops(), 2_000_000, 2_500_000)).isEqualTo(100);
    }

    @Test
    void decimalSeparatorsOfAnyLocaleAreRead() {
        for (String separator : List.of(".", ",", "\u066b", "\ufffd")) {
            String line = "[2000000ns] GC(6) Pause Young (Allocation Failure) 165M->16M(256M) 18" + separator + "087ms";
            assertThat(Pauses.parse(List.of(line), 0, 50_000_000).gcPauses())
                    .as(line)
                    .extracting(Evidence.Stop::nanos)
                    .containsExactly(18_087_000L);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[2000000ns] GC(6) Pause Full (System.gc()) 157M->9M(37M) 18ms",
                "[2.000.000ns] GC(6) Pause Full (System.gc()) 157M->9M(37M) 18.087ms",
                "[2000000ns] GC(6) y: Pause Mark Start",
                "[2000000ns] Safepoint \"Cleanup\", Total: 884588 us"
            })
    void linesThatCannotBeReadAreReported(String line) {
        String other = "[1000000ns] GC(6)   Other: 0,0ms";
        assertThat(Pauses.parse(List.of(other, line), 0, 50_000_000).unreadable())
                .isEqualTo(line);
        assertThat(Pauses.parse(List.of(other), 0, 50_000_000).unreadable()).isNull();
        assertThatThrownBy(() -> Evidence.Stop.collections(List.of(other, line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(line);
    }

    @Test
    void unreadableLineMakesPausesUnknown() {
        String line = "[2000000ns] GC(6) Pause Full (System.gc()) 157M->9M(37M) 18ms";
        try (MachineWatch watch = MachineWatch.countingOnly(List.of())) {
            watch.begin(System.nanoTime(), 0);
            watch.end(0);
            assertThat(watch.failure()).isNull();
            assertThat(watch.read(List.of(line))).isNull();
            assertThat(watch.failure()).contains("'" + line + "'");
            assertThat(watch.result().absent()).anyMatch(absent -> absent.contains(line));
        }
    }

    @Test
    void rehearsalLeavesNoFigures() {
        try (MachineWatch watch = MachineWatch.start(List.of())) {
            watch.rehearse();
            assertThatThrownBy(watch::result).hasMessage("begin comes first");
            watch.begin(System.nanoTime(), 0);
            watch.end(1);
            assertThat(watch.result().jvmCpuCores()).isNotNull();
        }
    }

    @Test
    void theProbeKeepsTheWorstAndTheNotable() {
        HiccupProbe log = new HiccupProbe(0, 0, HiccupProbe.NOTABLE_NANOS);
        log.slept(new HiccupProbe.Stall(1_000, 50, 0, 1));
        log.slept(new HiccupProbe.Stall(50_000_000, 20_000_000, 19_000_000, 1));

        assertThat(log.takeWorst()).isEqualTo(20_000_000);
        assertThat(log.takeWorst()).isZero();
        assertThat(log.stalls(40_000_000, 60_000_000)).hasSize(1);
        assertThat(log.stalls(50_000_001, 60_000_000)).isEmpty();
        assertThat(log.stalls(0, 31_000_000)).hasSize(1);
    }

    @Test
    void aWindowHasFiguresAndSeesACollection() {
        try (MachineWatch watch =
                MachineWatch.start(List.of(ProcessHandle.current().pid()))) {
            watch.begin(System.nanoTime(), 0);
            System.gc();
            long until = System.nanoTime() + 50_000_000;
            while (System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
            watch.sample();
            watch.end(10);
            Machine machine = watch.result();

            assertThat(machine.jvmCpuCores()).isPositive();
            assertThat(machine.gcCount()).isPositive();
            assertThat(machine.gcPauseNanos()).isPositive();
            assertThat(machine.safepointNanos()).isGreaterThanOrEqualTo(machine.gcPauseNanos());
            assertThat(machine.gcWorstNanos()).isLessThanOrEqualTo(machine.gcPauseNanos());
            assertThat(machine.host().worstStallNanos()).isPositive();
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("baton-lab-probe"));
    }

    @Test
    void environmentContainsNoSecret() {
        var environment = EnvironmentProbe.look(Path.of("."), UnaryOperator.identity());

        assertThat(environment.jvm().version())
                .startsWith(String.valueOf(Runtime.version().feature()));
        assertThat(environment.processors()).isPositive();
        assertThat(environment.nanoTimeCostNanos()).isPositive();
        assertThat(environment.fileSystem()).isNotBlank();
        assertThat(environment.libraries()).containsKeys("baton", "chronicle-queue", "disruptor", "kafka");
        assertThat(environment.libraries().values()).noneMatch(version -> version.contains("$"));
        assertThat(environment.jvm().changedFlags()).containsKey("MaxHeapSize");
        assertThat(environment.host().clocking()).isNotNull();
    }
}
