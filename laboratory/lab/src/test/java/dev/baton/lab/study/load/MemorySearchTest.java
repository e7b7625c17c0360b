package dev.baton.lab.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySearchTest {
    private static final long MEGA = 1 << 20;
    private static final CommandException SHORT =
            new CommandException(CommandException.Kind.FAILURE, "its JVM ended: OutOfMemoryError");

    private final List<Long> tried = new ArrayList<>();

    /** Runs a search with sizes in megabytes. @param trial returns a verdict; null for a lack of memory */
    private MemorySearch run(long least, long most, LongFunction<Verdict> trial) {
        TrialPlan plan = FixedResults.plan("plain", "cooperative:1", "default").named("plain");
        long[] size = {0};
        MemorySearch search = new MemorySearch(
                new PlannedTrial(plan, InstalledJvm.current(), List.of(), null, 0),
                new MemoryOptions.Range(least * MEGA, most * MEGA),
                (planned, bytes) -> {
                    size[0] = bytes / MEGA;
                    return planned;
                });
        while (!search.isOver()) {
            PlannedTrial next = search.next(1);
            tried.add(size[0]);
            search.enter(next, finished(plan, trial.apply(size[0])), 0);
        }
        return search;
    }

    private static FinishedTrial finished(TrialPlan plan, Verdict verdict) {
        if (verdict == null) {
            return new FinishedTrial(plan, null, SHORT);
        }
        Delivery delivery = new Delivery(10, 10, 0, 0, 0, 0, 0, 0, List.of(), 0);
        Outcome outcome = new Outcome(verdict, verdict == Verdict.PASS ? List.of() : List.of("something"));
        return new FinishedTrial(plan, FixedResults.result(plan, 1_000, delivery, outcome), null);
    }

    @ParameterizedTest
    @ValueSource(longs = {64, 65, 72, 100, 127, 128, 129, 400, 1000, 1024})
    void answerIsWithinAStepOfSmallest(long needed) {
        MemorySearch search = run(64, 1024, size -> size >= needed ? Verdict.PASS : null);

        assertThat(search.smallestBytes() / MEGA).isBetween(needed, needed + MemorySearch.STEP_MEGABYTES - 1);
        assertThat(search.smallest()).isNotNull();
        assertThat(tried).hasSizeLessThan(16);
    }

    @Test
    void smallestAllowedSizeIsTried() {
        MemorySearch search = run(70, 100, size -> Verdict.PASS);

        assertThat(search.smallestBytes()).isEqualTo(70 * MEGA);
        assertThat(tried).containsExactly(84L, 70L, 70L);
    }

    @Test
    void insufficientLargestHasNoAnswer() {
        MemorySearch search = run(64, 256, size -> null);

        assertThat(search.isConclusive()).isTrue();
        assertThat(search.smallestBytes()).isZero();
        assertThat(search.smallest()).isNull();
    }

    @Test
    void singleBrokenLimitDecidesNothing() {
        int[] failures = {0};
        MemorySearch search = run(64, 128, size -> size == 64 && failures[0]++ == 0 ? Verdict.FAIL : Verdict.PASS);

        assertThat(search.smallestBytes()).isEqualTo(64 * MEGA);
    }

    @Test
    void unconfirmedAnswerMovesUpAStep() {
        int[] times = {0};
        MemorySearch search = run(64, 128, size -> size == 64 && times[0]++ > 0 ? Verdict.FAIL : Verdict.PASS);

        assertThat(search.smallestBytes()).isEqualTo(72 * MEGA);
    }

    @Test
    void disturbedTrialsLeaveItInconclusive() {
        assertThat(run(64, 128, size -> size > 100 ? Verdict.PASS : Verdict.INCONCLUSIVE)
                        .isConclusive())
                .isFalse();
    }

    @Test
    void failureForAnotherReasonEndsTheSearch() {
        TrialPlan plan = FixedResults.plan("plain", "cooperative:1", "default").named("plain");
        CommandException other = new CommandException(CommandException.Kind.FAILURE, "no disk");
        MemorySearch search = new MemorySearch(
                new PlannedTrial(plan, InstalledJvm.current(), List.of(), null, 0),
                new MemoryOptions.Range(64 * MEGA, 128 * MEGA),
                (planned, bytes) -> planned);

        search.enter(search.next(1), new FinishedTrial(plan, null, other), 0);

        assertThat(search.isOver()).isTrue();
        assertThat(search.isConclusive()).isFalse();
        assertThat(search.refusal()).isSameAs(other);
    }
}
