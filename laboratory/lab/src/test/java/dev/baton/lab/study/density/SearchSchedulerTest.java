package dev.baton.lab.study.density;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.search.CapacitySearch;
import dev.baton.lab.search.Search;
import dev.baton.operations.line.CommandException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SearchSchedulerTest {
    private static final Duration AMPLE = Duration.ofHours(24);

    private final Searches searches = new Searches();
    private final Contender one = Searches.contender("disruptor", "baton", 64, 10_000, null);
    private final Contender other = Searches.contender("chronicle", "baton", 8, 10_000, null);

    @Test
    void everyContenderGetsItsAnswer() {
        searches.run(List.of(one, other), AMPLE, plan -> Searches.holding(plan, capacity(plan)));
        assertThat(one.finding().end()).isEqualTo(CapacitySearch.Finding.End.FOUND);
        assertThat(one.finding().holds()).isBetween(285, 300);
        assertThat(other.finding().holds()).isBetween(19, 20);
    }

    @Test
    void theirTrialsAreInterleaved() {
        searches.run(List.of(one, other), AMPLE, plan -> Searches.holding(plan, capacity(plan)));
        long changes = IntStream.range(1, searches.ran.size())
                .filter(i ->
                        searches.ran.get(i).charAt(0) != searches.ran.get(i - 1).charAt(0))
                .count();
        assertThat(changes).isGreaterThan(4);
    }

    @Test
    void trialsBeyondBudgetAreNotStarted() {
        searches.run(List.of(one), Duration.ofMinutes(5), plan -> Searches.holding(plan, 300));
        assertThat(one.stop()).isEqualTo(Search.Stop.BUDGET);
        assertThat(searches.clock.get()).isBetween(200 * Searches.SECOND, 300 * Searches.SECOND);
        assertThat(one.finding()).isEqualTo(new CapacitySearch.Finding(null, 256, 384, false, List.of()));
    }

    @Test
    void tooSmallBudgetRunsNoTrial() {
        searches.run(List.of(one), Duration.ofSeconds(20), plan -> Searches.holding(plan, 300));
        assertThat(one.trials()).isEmpty();
        assertThat(one.stop()).isEqualTo(Search.Stop.BUDGET);
    }

    @Test
    void anInterruptionStopsAllSearches() {
        searches.run(List.of(one, other), AMPLE, plan -> {
            searches.isInterrupted = searches.ran.size() >= 3;
            return searches.isInterrupted
                    ? new FinishedTrial(plan, null, null)
                    : Searches.holding(plan, capacity(plan));
        });
        assertThat(List.of(one.stop(), other.stop())).containsOnly(Search.Stop.INTERRUPTED);
        assertThat(searches.ran).hasSize(3);
    }

    @Test
    void deadJvmIsAFailureOfTheNumber() {
        searches.run(
                List.of(one),
                AMPLE,
                plan -> plan.shape().instances() > 100
                        ? new FinishedTrial(
                                plan, null, new CommandException(CommandException.Kind.FAILURE, "out of memory"))
                        : Searches.holding(plan, 1000));
        assertThat(one.finding().holds()).isBetween(95, 100);
        assertThat(one.trials())
                .filteredOn(each -> each.result() == null)
                .allSatisfy(each -> assertThat(each.reasons()).containsExactly("out of memory"));
    }

    @Test
    void refusedTrialEndsOnlyItsSearch() {
        searches.run(
                List.of(one, other),
                AMPLE,
                plan -> plan.subject().transport().equals("disruptor")
                        ? new FinishedTrial(plan, null, CommandException.environment("no"))
                        : Searches.holding(plan, 20));
        assertThat(one.stop()).isEqualTo(Search.Stop.REFUSED);
        assertThat(one.refusal()).hasMessage("no");
        assertThat(other.finding().end()).isEqualTo(CapacitySearch.Finding.End.FOUND);
    }

    private static int capacity(TrialPlan plan) {
        return plan.subject().transport().equals("disruptor") ? 300 : 20;
    }
}
