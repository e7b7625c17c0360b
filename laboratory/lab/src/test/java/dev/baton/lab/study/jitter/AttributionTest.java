package dev.baton.lab.study.jitter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Json;
import dev.baton.lab.study.jitter.JitterFindings.Cause;
import dev.baton.lab.study.jitter.JitterFindings.Event;
import dev.baton.lab.study.jitter.JitterFindings.Stops;
import dev.baton.lab.study.jitter.JitterFindings.Tally;
import dev.baton.lab.study.jitter.WorstEvents.Kept;
import dev.baton.measuring.machine.Evidence;
import dev.baton.measuring.machine.Evidence.Compilation;
import dev.baton.measuring.machine.Evidence.Oversleep;
import dev.baton.measuring.machine.Evidence.Probed;
import dev.baton.measuring.machine.Evidence.Slice;
import dev.baton.measuring.machine.Evidence.Stolen;
import dev.baton.measuring.machine.Evidence.Stop;
import dev.baton.measuring.machine.Evidence.Watched;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events and what was going on, both made up. Times in microseconds where a number has no unit. */
class AttributionTest {
    private static final long MICRO = 1_000;
    private static final Watched QUIET = new Watched(20_000 * MICRO, 0, 0, false);

    private final List<String> log = new ArrayList<>();
    private final List<Slice> slices = new ArrayList<>();
    private final List<Oversleep> oversleeps = new ArrayList<>();
    private final List<Kept> others = new ArrayList<>();

    @Test
    void coveringJvmStopIsTheCause() {
        log.add("[10650000ns] Safepoint \"ICBufferFull\", Time since last: 5141316 ns, Reaching safepoint: 400000 ns,"
                + " Cleanup: 1262 ns, At safepoint: 198738 ns, Total: 600000 ns");
        Event event = caused(held(10_000, 700, 0));
        assertThat(event.cause()).isEqualTo(Cause.SAFEPOINT);
        assertThat(event.evidence()).isEqualTo("safepoint ICBufferFull, 0.400 ms to reach, 0.600 ms in all");
        assertThat(event.atNanos()).isEqualTo(10_000 * MICRO);
    }

    @Test
    void aStopForACollectionIsGc() {
        log.add("[10590000ns] GC(6) Pause Young (Normal) (G1 Evacuation Pause) 165M->16M(256M) 0.500ms");
        log.add("[10600100ns] Safepoint \"G1CollectForAllocation\", Time since last: 5141316 ns, Reaching safepoint:"
                + " 1823 ns, At safepoint: 550000 ns, Leaving safepoint: 471 ns, Total: 552294 ns, Threads: 0 runnable,"
                + " 10 total");
        Event event = caused(held(10_000, 700, 0));
        assertThat(event.cause()).isEqualTo(Cause.GC);
        assertThat(event.evidence()).contains("safepoint G1CollectForAllocation", "0.500 ms of it a collection");
    }

    @Test
    void aStopElsewhereIsNotTheCause() {
        log.add("[9000000ns] Safepoint \"Cleanup\", Time since last: 5141316 ns, Reaching safepoint: 400000 ns,"
                + " Cleanup: 1262 ns, At safepoint: 198738 ns, Total: 600000 ns");
        Event event = caused(held(10_000, 700, 0));
        assertThat(event.cause()).isEqualTo(Cause.UNKNOWN);
        assertThat(event.evidence()).isEqualTo("no source reported anything");
    }

    @Test
    void smallerStopIsNamedButNoCause() {
        log.add("[10200000ns] Safepoint \"Cleanup\", Time since last: 5141316 ns, Reaching safepoint: 400 ns,"
                + " Cleanup: 1262 ns, At safepoint: 198738 ns, Total: 200400 ns");
        Event event = caused(held(10_000, 700, 0));
        assertThat(event.cause()).isEqualTo(Cause.UNKNOWN);
        assertThat(event.evidence())
                .startsWith("nothing explains half of it; the largest known share, 0.200 ms: safepoint Cleanup, ");
    }

    @Test
    void compilersCauseWaitForCore() {
        slice(0, 20_000, waited(4_000), QUIET, 4_500, 100, 300);
        log.add("[10100000ns]  812   b   4       com.lmax.disruptor.BatchEventProcessor::processEvents (312 bytes)");
        Event event = caused(held(10_000, 5_000, 0));
        assertThat(event.cause()).isEqualTo(Cause.JIT);
        assertThat(event.evidence())
                .isEqualTo("the producer waited 4.000 ms for a core; in the 20 ms around it this JVM's compilers ran"
                        + " 4.500 ms, its collector ran 0.100 ms, its other threads ran 0.300 ms; compilations begun within it: 1,"
                        + " the first of com.lmax.disruptor.BatchEventProcessor::processEvents");
    }

    @Test
    void useOfCoreDeterminesTheCause() {
        slice(0, 20_000, waited(4_000), QUIET, 0, 3_000, 300);
        assertThat(caused(held(10_000, 5_000, 0)).cause()).isEqualTo(Cause.GC);
        slices.clear();
        slice(0, 20_000, waited(4_000), QUIET, 0, 300, 3_000);
        assertThat(caused(held(10_000, 5_000, 0)).cause()).isEqualTo(Cause.TRIAL);
        slices.clear();
        slice(0, 20_000, waited(4_000), QUIET, 300, 300, 300);
        assertThat(caused(held(10_000, 5_000, 0)).cause()).isEqualTo(Cause.OTHER_PROCESSES);
    }

    @Test
    void threadsOnOneCoreDelayEachOther() {
        Watched other = new Watched(15_000 * MICRO, 0, 0, false);
        slices.add(slice(0, 20_000, waited(4_000), other, 0, 0, 0, new Stolen[0]));
        Event event = caused(held(10_000, 5_000, 0));
        assertThat(event.cause()).isEqualTo(Cause.TRIAL);
        assertThat(event.evidence())
                .endsWith("in the 20 ms around it the trial's other thread ran 15.000 ms on the same core");
    }

    @Test
    void accumulatorWaitCountsAfterTheSend() {
        slice(0, 20_000, QUIET, waited(4_000), 0, 0, 0);
        Event event = caused(held(10_000, 10, 5_000));
        assertThat(event.cause()).isEqualTo(Cause.OTHER_PROCESSES);
        assertThat(event.evidence()).startsWith("the accumulator waited 4.000 ms for a core;");
        assertThat(caused(held(10_000, 5_000, 10)).cause()).isEqualTo(Cause.UNKNOWN);
    }

    @Test
    void sharedWaitOfSliceIsNoEvidence() {
        slice(0, 20_000, waited(1_000), QUIET, 0, 0, 0);
        others.add(held(3_000, 5_000, 0));
        assertThat(caused(held(10_000, 500, 0)).cause()).isEqualTo(Cause.UNKNOWN);
        others.clear();
        assertThat(caused(held(10_000, 500, 0)).cause()).isEqualTo(Cause.OTHER_PROCESSES);
    }

    @Test
    void waitingInAnotherSliceIsNoEvidence() {
        slice(20_000, 40_000, waited(9_000), QUIET, 0, 0, 0);
        assertThat(caused(held(10_000, 5_000, 0)).cause()).isEqualTo(Cause.UNKNOWN);
    }

    @Test
    void oversleepOfProbeIndicatesHost() {
        slices.add(slice(0, 20_000, QUIET, QUIET, 0, 0, 0, new Stolen(0, 10_000 * MICRO)));
        oversleeps.add(new Oversleep(0, 15_000 * MICRO, 4_500 * MICRO, false));
        Event event = caused(held(10_000, 5_000, 0));
        assertThat(event.cause()).isEqualTo(Cause.HOST);
        assertThat(event.evidence())
                .isEqualTo(
                        "the probe of core 0 did not run either for 4.500 ms of it; steal of core 0 rose by 10.000 ms"
                                + " in the 20 ms around it");
    }

    @Test
    void stoppedProbesIndicateStoppedProcess() {
        slice(0, 20_000, QUIET, QUIET, 0, 0, 0);
        oversleeps.add(new Oversleep(0, 15_000 * MICRO, 4_500 * MICRO, true));
        assertThat(caused(held(10_000, 5_000, 0)).cause()).isEqualTo(Cause.HOST);
        oversleeps.add(new Oversleep(1, 15_100 * MICRO, 4_600 * MICRO, true));
        Event event = caused(held(10_000, 5_000, 0));
        assertThat(event.cause()).isEqualTo(Cause.STOPPED);
        assertThat(event.evidence())
                .isEqualTo("the process was stopped for 4.500 ms of it: its probes neither ran nor waited");
    }

    @Test
    void otherProbesAreNoEvidence() {
        slice(0, 20_000, QUIET, QUIET, 0, 0, 0);
        oversleeps.add(new Oversleep(1, 15_000 * MICRO, 4_500 * MICRO, false));
        oversleeps.add(new Oversleep(0, 11_000 * MICRO, 900 * MICRO, false));
        assertThat(caused(held(10_000, 5_000, 0)).cause()).isEqualTo(Cause.UNKNOWN);
        assertThat(caused(held(10_000, 1_000, 0)).cause()).isEqualTo(Cause.UNKNOWN);
    }

    @Test
    void sufficientStealIsTheCause() {
        slices.add(slice(0, 20_000, QUIET, QUIET, 0, 0, 0, new Stolen(0, 10_000 * MICRO)));
        assertThat(caused(held(5_000, 8_000, 0)).cause()).isEqualTo(Cause.HOST);
        assertThat(caused(held(5_000, 12_000, 0)).cause()).isEqualTo(Cause.UNKNOWN);
    }

    @Test
    void onlyDiscardedOptimisedCodeCounts() {
        log.add("[10100000ns]  812       3       com.lmax.disruptor.RingBuffer::next (9 bytes)   made not entrant");
        assertThat(caused(held(10_000, 300, 0)).cause()).isEqualTo(Cause.UNKNOWN);
        log.add("[10100000ns]  813       4       com.lmax.disruptor.RingBuffer::next (9 bytes)   made not entrant");
        Event event = caused(held(10_000, 300, 0));
        assertThat(event.cause()).isEqualTo(Cause.JIT);
        assertThat(event.evidence())
                .isEqualTo("optimised code of com.lmax.disruptor.RingBuffer::next discarded within it");
    }

    @Test
    void anotherCoreIsTheLastResort() {
        slice(0, 20_000, new Watched(20_000 * MICRO, 0, 1, true), QUIET, 0, 0, 0);
        Event event = caused(held(10_000, 300, 0));
        assertThat(event.cause()).isEqualTo(Cause.MIGRATION);
        assertThat(event.evidence()).contains("the producer came to core 1 in the 20 ms around it");
        slices.clear();
        slice(0, 20_000, new Watched(20_000 * MICRO, 280 * MICRO, 1, true), QUIET, 0, 0, 0);
        assertThat(caused(held(10_000, 300, 0)).cause()).isEqualTo(Cause.OTHER_PROCESSES);
    }

    @Test
    void causesAndStopsAreAddedUp() {
        log.add("[10650000ns] Safepoint \"Cleanup\", Time since last: 5141316 ns, Reaching safepoint: 400000 ns,"
                + " Cleanup: 1262 ns, At safepoint: 198738 ns, Total: 600000 ns");
        log.add("[90650000ns] Safepoint \"Cleanup\", Time since last: 5141316 ns, Reaching safepoint: 200 ns,"
                + " Cleanup: 1262 ns, At safepoint: 198738 ns, Total: 200000 ns");
        List<Kept> worst = List.of(held(10_000, 700, 0), held(50_000, 600, 0), held(60_000, 500, 0));
        JitterFindings found = Attribution.findings(worst, evidence(), 0, 80_000 * MICRO, 2);

        assertThat(found.events()).extracting(Event::cause).containsExactly(Cause.SAFEPOINT, Cause.UNKNOWN);
        assertThat(found.tallies())
                .containsExactly(
                        new Tally(Cause.UNKNOWN, 2, 1_100 * MICRO), new Tally(Cause.SAFEPOINT, 1, 700 * MICRO));
        assertThat(found.tally(Cause.GC)).isEqualTo(new Tally(Cause.GC, 0, 0));
        assertThat(found.kept()).isEqualTo(3);
        assertThat(found.keptFromNanos()).isEqualTo(500 * MICRO);
        assertThat(found.stops())
                .as("of the measurement")
                .containsExactly(new Stops("Cleanup", 1, 600 * MICRO, 600 * MICRO, 400 * MICRO));
        assertThat(Json.parse(Json.line(found), Findings.class)).isEqualTo(found);
    }

    private static Kept held(long at, long sendDelay, long service) {
        return new Kept(at * MICRO, sendDelay * MICRO, (sendDelay + service) * MICRO, 1);
    }

    private static Watched waited(long micros) {
        return new Watched((20_000 - micros) * MICRO, micros * MICRO, 0, false);
    }

    private void slice(
            long from, long to, Watched producer, Watched accumulator, long compilers, long collectors, long rest) {
        slices.add(slice(from, to, producer, onCore(2, accumulator), compilers, collectors, rest, new Stolen[0]));
    }

    private static Watched onCore(int core, Watched watched) {
        return new Watched(watched.ranNanos(), watched.waitedNanos(), core, watched.hasMoved());
    }

    private static Slice slice(
            long from,
            long to,
            Watched producer,
            Watched accumulator,
            long compilers,
            long collectors,
            long rest,
            Stolen... stolen) {
        return new Slice(
                from * MICRO,
                to * MICRO,
                List.of(producer, accumulator),
                compilers * MICRO,
                collectors * MICRO,
                rest * MICRO,
                List.of(stolen));
    }

    private Event caused(Kept event) {
        List<Kept> all = new ArrayList<>(others);
        all.add(event);
        return Attribution.event(event, all, evidence(), 0);
    }

    private Evidence evidence() {
        List<Stop> stops = Stop.parse(log, 0, 1_000_000_000);
        List<Probed> cores = List.of(
                new Probed(0, 20_000_000, 1_000, 100 * MICRO, 1_000 * MICRO, 5_000 * MICRO),
                new Probed(1, 20_000_000, 1_000, 100 * MICRO, 1_000 * MICRO, 5_000 * MICRO));
        return new Evidence(
                0, 1_000_000_000, stops, Compilation.parse(log), oversleeps, slices, cores, 0.004, List.of());
    }
}
