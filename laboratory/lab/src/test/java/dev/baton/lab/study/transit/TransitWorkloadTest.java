package dev.baton.lab.study.transit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.measuring.machine.Cores;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transits of a second in this JVM, over real transports, with threads that yield so that a build has its cores. */
class TransitWorkloadTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    Path results;

    @TempDir
    Path queues;

    @AfterEach
    void noThreadIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("reference-")
                        || thread.getName().startsWith("baton-loop"));
    }

    @ParameterizedTest
    @CsvSource({"baton, disruptor", "reference, disruptor", "baton, chronicle", "reference, chronicle"})
    void floorIsMeasuredAfterTheMessages(String engine, String transport) throws IOException {
        TrialResult result = run(plan(engine, transport, new TransitStudy(100 * MILLI, List.of())));

        assertThat(result.delivery().isFaultless()).as("%s", result.outcome()).isTrue();
        assertThat(result.delivery().sent()).isEqualTo(1_000);
        assertThat(result.response().count()).isEqualTo(800);
        assertThat(result.instances()).hasSize(1);
        TransitFindings findings = (TransitFindings) result.findings();
        assertThat(findings.floor().count()).isEqualTo(200);
        assertThat(findings.cpus()).isEmpty();
        assertThat(ResultFolder.readTrial(results.resolve("transit.trial.json")))
                .isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource({"baton", "reference"})
    void resultContainsBoundThreads(String engine) {
        int cpu = Cores.allowed().nextSetBit(0);
        TrialResult result = run(plan(engine, "disruptor", new TransitStudy(0, List.of(cpu, cpu))));

        assertThat(result.delivery().isFaultless()).as("%s", result.outcome()).isTrue();
        TransitFindings findings = (TransitFindings) result.findings();
        assertThat(findings.floor()).isNull();
        assertThat(findings.cpus()).containsExactly(cpu, cpu);
        assertThat(findings.isolatedCpus()).isEqualTo(Cores.isolated());
    }

    @Test
    void interruptedTransitHasNoFloor() {
        List<TrialRunner> runner = new ArrayList<>();
        PlacedTrial plan = plan("baton", "disruptor", new TransitStudy(60_000 * MILLI, List.of()));
        runner.add(new TrialRunner(plan, new TransitKind()::open, event -> {
            if (event instanceof Event.Progress progress && progress.phase() == Event.Phase.OPENING) {
                runner.get(0).interrupt("interrupted by a test");
            }
        }));
        TrialResult result = runner.get(0).run();
        assertThat(result.outcome().verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(((TransitFindings) result.findings()).floor()).isNull();
    }

    private TrialResult run(PlacedTrial plan) {
        return new TrialRunner(plan, new TransitKind()::open, event -> {}).run();
    }

    private PlacedTrial plan(String engine, String transport, TransitStudy study) {
        TrialPlan plan = new TrialPlan(
                "transit",
                new Subject(
                        engine, transport, transport.equals("chronicle") ? Map.of("dir", queues.toString()) : Map.of()),
                new Shape(0, 1, 216),
                new Load(2_000, Load.Arrivals.EVEN, 1),
                new LoopPlan(LoopPlan.PER_SERVICE, "yielding", 0),
                new Phases(100 * MILLI, 400 * MILLI, 5_000 * MILLI),
                List.of(),
                study,
                null);
        return new PlacedTrial(plan, new Place(results.toString(), null, null, null, null, null, false));
    }
}
