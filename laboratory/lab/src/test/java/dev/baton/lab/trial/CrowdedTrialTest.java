package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.baton.lab.request.Observers;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trials that do not reach their rate: beside processes that burn CPU, and by their own doing. */
@Tag("long")
@EnabledOnOs(value = OS.LINUX, disabledReason = "run-queue delay is Linux's")
class CrowdedTrialTest {
    private static final int SERVICES = 5;
    private static final long MICRO = 1_000;

    @TempDir
    Path results;

    /** One loop whose services take so much time for each message. */
    private TrialResult trial(long burntNanos, boolean isObserved) {
        PlacedTrial usual = Plans.of(
                results, "memory", Map.of(), new Shape(SERVICES, 1, 0), Plans.EVEN_1000, "cooperative:1", 1_500);
        TrialPlan plan = usual.plan();
        TrialPlan watched = new TrialPlan(
                plan.id(),
                plan.subject(),
                plan.shape(),
                plan.load(),
                plan.loops(),
                plan.phases(),
                plan.limits(),
                null,
                new Observers(isObserved, 99.9, Observers.Stages.OFF));
        return new TrialRunner(
                        new PlacedTrial(watched, usual.place()),
                        instruments -> new ChainWorkload(
                                instruments,
                                BatonRig.over(
                                        instruments,
                                        () -> Transports.open(instruments.trial()),
                                        number -> (in, out) -> {
                                            long start = System.nanoTime();
                                            while (System.nanoTime() - start < burntNanos) {
                                                Thread.onSpinWait();
                                            }
                                            out.forward(in);
                                        })),
                        event -> {})
                .run();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rateMissedThroughOthersIsInconclusive(boolean isObserved) throws IOException {
        List<Process> burning = new ArrayList<>();
        try {
            for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
                burning.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }
            TrialResult result = trial(120 * MICRO, isObserved);

            assertThat(result.outcome().verdict())
                    .as("%s %s", result.outcome(), result.machine().host())
                    .isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(result.outcome().reasons()) // messages that were not drained may stand before it
                    .anyMatch(
                            reason -> reason.matches(
                                    "instance 1 reached .* % of its rate, less than 99.9 %;.* other processes took .* %"
                                            + " \\(.* cores\\) of the CPU time that the trial requested, and .* % would explain this"));
            assertThat(result.outcome().blamesHost()).isTrue();
        } finally {
            burning.forEach(Process::destroyForcibly);
            burning.forEach(each -> each.onExit().join());
        }
    }

    @Test
    void overloadedLoopFails() {
        TrialResult result = trial(2_000 * MICRO, true); // a tenth of the rate, whatever others take
        assumeThat(result.machine().host().withheld().share())
                .as("what others took meanwhile")
                .isLessThan(0.5);

        assertThat(result.outcome().verdict())
                .as("%s %s", result.outcome(), result.machine().host())
                .isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons()).anyMatch(reason -> reason.startsWith("instance 1 reached "));
    }
}
