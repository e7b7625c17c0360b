package dev.baton.lab.trial.ends;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Load;
import dev.baton.lab.results.Rate;
import dev.baton.lab.trial.StartedWindow;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatchUpTest {
    private static final long MILLI = 1_000_000;
    private static final Load TEN_WAIT = new Load(1_000, Load.Arrivals.EVEN, 1).after(10);

    private final CatchUp catchUp;
    private final long begin;

    CatchUpTest() {
        Window window = StartedWindow.at(0, 100 * MILLI, 1_000 * MILLI, MILLI);
        begin = window.measureNanos();
        catchUp = new CatchUp(TEN_WAIT, window, 10_000 * MILLI);
        for (int i = 1; i <= 10; i++) { // 90 % took 9 ms or less
            catchUp.onArrival(begin - 20 * MILLI + i, 0, i * MILLI);
        }
    }

    private void backlogArrives(int messages) {
        for (int i = 0; i < messages; i++) {
            catchUp.onArrival(begin + i, 0, 40 * MILLI - i);
        }
    }

    @Test
    void usualResponseAfterBacklogIsCaughtUp() {
        backlogArrives(10);
        catchUp.onArrival(begin + 30 * MILLI, 0, 12 * MILLI);
        catchUp.onArrival(begin + 31 * MILLI, 0, 9 * MILLI);
        catchUp.onArrival(begin + 32 * MILLI, 0, 1 * MILLI);

        assertThat(catchUp.result()).isEqualTo(new Rate.Backlog(10, 40 * MILLI, 40 * MILLI));
    }

    @Test
    void missingMessageLeavesBacklogUnhandled() {
        backlogArrives(9);
        catchUp.onArrival(begin + 31 * MILLI, 0, 20 * MILLI);

        assertThat(catchUp.result()).isEqualTo(new Rate.Backlog(10, null, null));
    }

    @Test
    void slowestInstanceDecides() {
        Rate.Backlog fast = new Rate.Backlog(10, 1L, 2L);

        assertThat(Rate.Backlog.slowest(List.of(fast, new Rate.Backlog(10, 3L, null))))
                .isEqualTo(new Rate.Backlog(10, 3L, null));
        assertThat(Rate.Backlog.slowest(List.of())).isNull();
    }
}
