package dev.baton.lab.trial.ends;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.DataFile;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulesTest {
    private static final int ROWS = 1_000;
    private static final int INSTANCES = 20;

    private static List<Integer> firstRows(int processes) {
        DataFile file = new DataFile("/recorded.csv", ROWS, "");
        TrialPlan plan = new TrialPlan(
                "recorded",
                new Subject(Subject.BATON, "disruptor", Map.of()),
                new Shape(1, INSTANCES, 8),
                Load.replaying(new Load.Replay(file, 1), 1_000_000, 7),
                new LoopPlan("cooperative:1", null, 0),
                new Phases(1, 1_000_000, 1),
                List.of());
        List<Integer> rows = new ArrayList<>();
        for (TrialPlan share : plan.shares(processes)) {
            for (int i = 0; i < share.shape().instances(); i++) {
                rows.add(Schedules.firstRow(share.load(), i, ROWS));
            }
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, INSTANCES})
    void processesContinueTheNumbersOfInstances(int processes) {
        assertThat(firstRows(processes)).isEqualTo(firstRows(1)).doesNotHaveDuplicates();
    }

    @Test
    void firstInstanceBeginsAtTheFirstRow() {
        assertThat(firstRows(2)).startsWith(0);
    }
}
