package dev.baton.lab.study.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.search.CapacitySearch.Finding.End;
import dev.baton.lab.search.Search.Stop;
import dev.baton.lab.study.window.WindowStudy.State;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The search for the most items, with trials of 24,000 steps that answer as they are told. */
class ItemSearchTest {
    private static final List<Limit> LIMITS = Limit.parse("p99.99<10ms");
    private static final int STEPS = 24_000;
    private static final long MILLI = 1_000_000;

    /** Steps over the limit in a trial of so many keys. */
    private interface Machine {
        int over(int keys, int trial);
    }

    @Test
    void millionStepsDecideAfterExploration() {
        ItemSearch search = search(10, false);
        int trials = run(search, (keys, trial) -> keys <= 6 ? 1 : 300);

        assertThat(search.finding().end()).isEqualTo(End.FOUND);
        assertThat(search.at(search.finding().holds()).keys()).isEqualTo(6);
        assertThat(search.at(search.finding().breaks()).keys()).isEqualTo(7);
        assertThat(search.at(6).trials()).isEqualTo(42); // 1,008,000 steps
        assertThat(search.at(7).trials()).as("101 steps over the limit decide").isEqualTo(2);
        assertThat(trials).isLessThan(60);
        assertThat(search.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(ItemSearchText.answer(search, LIMITS))
                .isEqualTo(
                        "plain boxed, 1 loop: 1,600 items/s (6 keys) keep p99.99 < 10ms; 1,700 items/s (7 keys) did not"
                                + " (600 of 48,000 steps were over the limit of p99.99<10ms).");
    }

    @Test
    void millionStepsOverruleShortTrial() {
        ItemSearch search = search(10, false);
        run(search, (keys, trial) -> keys <= 4 ? 0 : keys <= 6 ? (trial == 1 ? 0 : 5) : 300);

        assertThat(search.finding().end()).isEqualTo(End.FOUND);
        assertThat(search.at(search.finding().holds()).keys()).isEqualTo(4);
        assertThat(search.at(6).over().get(0)).isGreaterThan(100);
    }

    @Test
    void quickAnswerIsMarkedProvisional() {
        ItemSearch search = search(3, true);
        int trials = run(search, (keys, trial) -> 2);

        assertThat(search.finding().end()).isEqualTo(End.AT_MOST);
        assertThat(trials).isLessThan(6);
        assertThat(ItemSearchText.answer(search, LIMITS)).contains("at least", "Provisional: --quick");
    }

    @Test
    void threeDisturbedTrialsEndTheSearch() {
        ItemSearch search = search(3, false);
        search.next(1);
        search.enter(null, ended(search.next(1), Verdict.INCONCLUSIVE, 0), 0);
        search.enter(null, ended(search.next(1), Verdict.INCONCLUSIVE, 0), 0);
        search.enter(null, ended(search.next(1), Verdict.PASS, 0), 0);
        assertThat(search.isOver()).isFalse();
        for (int i = 0; i < 3; i++) {
            search.enter(null, ended(search.next(1), Verdict.INCONCLUSIVE, 0), 0);
        }

        assertThat(search.isOver()).isTrue();
        assertThat(search.stopped()).isEqualTo("3 trials in a row were (something)");
        assertThat(search.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(search.at(1).trials()).isEqualTo(1);
    }

    @Test
    void lossFailsSearchAndRateFailsKeys() {
        ItemSearch overloaded = search(2, false);
        run(overloaded, (keys, trial) -> keys == 1 ? 0 : -1);
        assertThat(overloaded.finding().end()).isEqualTo(End.FOUND);
        assertThat(overloaded.exitCode()).isEqualTo(ExitCode.OK);

        ItemSearch losing = search(2, false);
        PlannedTrial trial = losing.next(1);
        losing.enter(null, new FinishedTrial(trial.plan(), result(trial.plan(), Verdict.FAIL, 1), null), 0);
        losing.stop(Stop.BUDGET, null);
        assertThat(losing.exitCode()).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void exhaustedBudgetIsInconclusive() {
        ItemSearch search = search(3, false);
        search.enter(null, ended(search.next(1), Verdict.PASS, 0), 0);
        search.stop(Stop.BUDGET, null);
        assertThat(search.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(ItemSearchText.answer(search, LIMITS))
                .contains(
                        "inconclusive, as the budget ran out: 1,100 items/s (1 keys) keep p99.99 < 10ms (not confirmed)");

        ItemSearch refused = search(3, false);
        refused.stop(Stop.REFUSED, CommandException.usage("no"));
        assertThat(refused.isOver()).isTrue();
        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void jobsDifferingInKeysAreOneSearch() {
        List<PlannedTrial> trials = new ArrayList<>(trials("one-%d-keys-1-loops", 3));
        trials.addAll(trials("one-%d-keys-2-loops", 3));
        assertThat(ItemSearch.of(trials, false)).hasSize(2);
    }

    private static ItemSearch search(int most, boolean isQuick) {
        return ItemSearch.of(trials("job-%d-keys-1-loops", most), isQuick).get(0);
    }

    private static List<PlannedTrial> trials(String id, int most) {
        return IntStream.rangeClosed(1, most)
                .mapToObj(keys -> plan(String.format(id, keys), keys))
                .map(plan -> new PlannedTrial(plan, InstalledJvm.current(), List.of(), null, 0))
                .toList();
    }

    private static TrialPlan plan(String id, int keys) {
        WindowStudy study = new WindowStudy(State.BOXED, keys, 100 * MILLI, 10 * MILLI, LIMITS, false, null, null);
        return FixedResults.plan("plain", "cooperative:1", "default").named(id).asking(study);
    }

    private static int run(ItemSearch search, Machine machine) {
        int trials = 0;
        int[] ofKeys = new int[1_000];
        while (!search.isOver()) {
            PlannedTrial next = search.next(1);
            int keys = ((WindowStudy) next.plan().study()).keys();
            int over = machine.over(keys, ++ofKeys[keys]);
            search.enter(null, ended(next, over < 0 ? Verdict.FAIL : Verdict.PASS, Math.max(0, over)), 0);
            assertThat(++trials).isLessThan(1_000);
        }
        return trials;
    }

    private static FinishedTrial ended(PlannedTrial trial, Verdict verdict, int over) {
        TrialResult result = FixedResults.responding(result(trial.plan(), verdict, 0), STEPS, over, 20 * MILLI);
        return new FinishedTrial(trial.plan(), result, null);
    }

    private static TrialResult result(TrialPlan plan, Verdict verdict, long lost) {
        List<String> reasons = verdict == Verdict.PASS ? List.of() : List.of("something");
        return FixedResults.result(
                plan,
                MILLI,
                new Delivery(10, 10 - lost, lost, 0, 0, 0, 0, 0, List.of(), 0),
                new Outcome(verdict, reasons));
    }
}
