package dev.baton.lab.study.density;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.disruptor.DisruptorProvider;
import dev.baton.lab.request.Limit;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DensityLoopOptionsTest {
    private final DensityLoopOptions options = CommandLine.populateCommand(new DensityLoopOptions());

    private LoopPlan loops(String engine) {
        return options.loops(engine, new DisruptorProvider(), Limit.parse("p99.9<100ms"), 1_000, 1);
    }

    @Test
    void cooperativeReferenceHasThePacingOfBaton() {
        assertThat(loops(Subject.REFERENCE_COOPERATIVE)).isEqualTo(loops(Subject.BATON));
        assertThat(loops(Subject.BATON).latencyBudgetNanos()).isEqualTo(130_000_000);
    }

    @Test
    void threadPerServiceReferenceHasNoPacing() {
        assertThat(loops(Subject.REFERENCE).latencyBudgetNanos()).isZero();
    }
}
