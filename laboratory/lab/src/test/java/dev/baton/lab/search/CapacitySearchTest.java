package dev.baton.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lab.results.Verdict;
import dev.baton.lab.search.CapacitySearch.Finding;
import dev.baton.lab.search.CapacitySearch.Finding.End;
import dev.baton.lab.search.CapacitySearch.Step;
import dev.baton.lab.search.CapacitySearch.StepWidth;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches on simulated machines. */
class CapacitySearchTest {
    private static final int MOST_TRIALS = 500;

    private final List<Step> steps = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "3,1", "7,1", "50,1", "100,64", "999,256", "1000,1", "3333,256", "5,64", "1,64"})
    void theCapacityIsFoundWithinAStep(int capacity, int start) {
        Finding finding = search(start, 100_000, upTo(capacity));
        assertThat(finding.end()).isEqualTo(End.FOUND);
        assertThat(finding.holds()).isLessThanOrEqualTo(capacity);
        assertThat(finding.breaks()).isGreaterThan(capacity);
        assertThat(finding.breaks() - finding.holds()).isLessThanOrEqualTo(StepWidth.DEFAULT.at(finding.holds()));
        assertThat(finding.isConfirmed()).isTrue();
        assertThat(finding.unsteady()).isEmpty();
    }

    @Test
    void answerPassedTwiceNextFailedTwice() {
        Finding finding = search(1, 100_000, upTo(100));
        assertThat(times(finding.holds())).isEqualTo(2);
        assertThat(times(finding.breaks())).isEqualTo(2);
        assertThat(steps)
                .filteredOn(Step::isDeciding)
                .extracting(Step::instances)
                .containsExactly(finding.holds(), finding.breaks());
    }

    @Test
    void numbersAreDoubledAndThenBisected() {
        search(1, 100_000, upTo(10));
        assertThat(steps).extracting(Step::instances).containsExactly(1, 2, 4, 8, 16, 16, 12, 10, 11, 10, 11);
    }

    /** Three quarters of what 0.05 of the CPU time for four promises, but never more than eight times as many. */
    @ParameterizedTest
    @CsvSource({"0.05, 4 32 256 256 144 88", "0.25, 4 12 36 108 108 72 90", "0.9, 4 8 16 32 64 128 128 96"})
    void idleCpuAllowsLargerSteps(double busyOfFour, String numbers) {
        CapacitySearch search = new CapacitySearch(4, 10_000, StepWidth.DEFAULT);
        List<String> tried = new ArrayList<>();
        String[] expected = numbers.split(" ");
        while (tried.size() < expected.length) {
            int instances = search.next().instances();
            tried.add(String.valueOf(instances));
            search.enter(upTo(100).apply(instances), busyOfFour, null);
        }
        assertThat(tried).containsExactly(expected);
    }

    /** As Chronicle chains with a latency budget: 40 % of the CPU time at 64 as at 250, and a tail that grows with their number. */
    @Test
    void growingTailBoundsTheNextStep() {
        Finding finding = search(64, 10_000, upTo(990), n -> Math.max(0.4, n / 1_050.0), n -> n / 1_050.0);

        assertThat(finding.end()).isEqualTo(End.FOUND);
        assertThat(finding.holds()).isBetween(940, 990);
        assertThat(steps).extracting(Step::instances).containsExactly(64, 512, 915, 1016, 965, 990, 990, 1016);
    }

    @Test
    void randomTailDelaysSearchLittle() {
        Finding finding = search(1, 10_000, upTo(500), n -> 1.0, n -> n == 8 && times(8) == 1 ? 0.95 : n / 1_000.0);

        assertThat(finding.end()).isEqualTo(End.FOUND);
        assertThat(finding.holds()).isBetween(475, 500);
        assertThat(steps).hasSizeLessThan(20);
    }

    @Test
    void uselessReadingsDoNotPreventTheEnd() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random noise = new Random(seed);
            steps.clear();
            int capacity = 1 + noise.nextInt(2_000);
            Finding finding = search(
                    1 + noise.nextInt(300), 10_000, upTo(capacity), n -> noise.nextDouble(), n -> noise.nextDouble());
            assertThat(finding.end()).as("seed %d", seed).isEqualTo(End.FOUND);
            assertThat(finding.holds()).as("seed %d", seed).isLessThanOrEqualTo(capacity);
            assertThat(finding.breaks()).as("seed %d", seed).isGreaterThan(capacity);
            assertThat(steps).as("seed %d", seed).hasSizeLessThan(150);
        }
    }

    @Test
    void constantTailDoesNotChangeTheSearch() {
        search(1, 100_000, upTo(10), n -> 1.0, n -> 0.6);

        assertThat(steps).extracting(Step::instances).containsExactly(1, 2, 4, 8, 16, 16, 12, 10, 11, 10, 11);
    }

    @Test
    void singleFailureDoesNotMisleadTheSearch() {
        search(
                64,
                10_000,
                n -> n == 256 && times(n) == 1 ? Verdict.FAIL : upTo(500).apply(n));
        assertThat(steps)
                .startsWith(
                        new Step(64, false),
                        new Step(128, false),
                        new Step(256, false),
                        new Step(256, false),
                        new Step(256, true));
        assertThat(steps).extracting(Step::instances).noneMatch(n -> n > 128 && n < 256);
    }

    @Test
    void machineWithoutCapacityIsTriedTwice() {
        Finding finding = search(4, 100, upTo(0));
        assertThat(finding.end()).isEqualTo(End.NONE);
        assertThat(finding.holds()).isZero();
        assertThat(steps).extracting(Step::instances).containsExactly(4, 2, 1, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101, 5_000})
    void capacityBeyondMaximumConfirmsTheMaximum(int capacity) {
        Finding finding = search(1, 100, upTo(capacity));
        assertThat(finding.end()).isEqualTo(End.AT_MOST);
        assertThat(finding.holds()).isEqualTo(100);
        assertThat(finding.breaks()).isZero();
        assertThat(times(100)).isEqualTo(2);
    }

    @Test
    void theMostIsNeverExceeded() {
        search(7, 9, upTo(1000));
        assertThat(steps).allSatisfy(step -> assertThat(step.instances()).isBetween(1, 9));
    }

    @Test
    void inconclusiveTrialIsRepeated() {
        IntFunction<Verdict> machine = upTo(10);
        Finding finding = search(1, 100, n -> steps.size() % 2 == 1 ? Verdict.INCONCLUSIVE : machine.apply(n));
        assertThat(finding).isEqualTo(new Finding(End.FOUND, 10, 11, true, List.of()));
    }

    @Test
    void threeInconclusiveTrialsEndTheSearch() {
        Finding finding = search(1, 100, n -> n == 4 ? Verdict.INCONCLUSIVE : upTo(10).apply(n));
        assertThat(finding).isEqualTo(new Finding(End.INCONCLUSIVE, 2, 0, false, List.of()));
        assertThat(times(4)).isEqualTo(3);
    }

    @Test
    void failedConfirmationLowersTheNumber() {
        Finding finding = search(1, 1000, n -> n > 100 || n > 95 && times(n) > 1 ? Verdict.FAIL : Verdict.PASS);
        assertThat(finding.end()).isEqualTo(End.FOUND);
        assertThat(finding.unsteady())
                .isNotEmpty()
                .allSatisfy(n -> assertThat(n).isBetween(96, 100));
        assertThat(finding.holds()).isBetween(90, 95);
        assertThat(finding.breaks()).isEqualTo(finding.unsteady().get(0));
    }

    @Test
    void randomFailureBelowCapacityIsOvercome() {
        Finding finding = search(
                1,
                10_000,
                n -> n == 8 && times(8) == 1 ? Verdict.FAIL : upTo(500).apply(n));
        assertThat(finding.end()).isEqualTo(End.FOUND);
        assertThat(finding.holds()).isBetween(475, 500);
        assertThat(steps).hasSizeLessThan(30);
    }

    @Test
    void earlyDisturbanceIsOvercome() {
        Finding finding = search(
                256, 10_000, n -> steps.size() <= 6 ? Verdict.FAIL : upTo(500).apply(n));
        assertThat(finding.end()).isEqualTo(End.FOUND);
        assertThat(finding.holds()).isBetween(475, 500);
        assertThat(steps).hasSizeLessThan(45);
    }

    @Test
    void noisySearchEndsWithTriedNumbers() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random noise = new Random(seed);
            steps.clear();
            Finding finding = search(1 + noise.nextInt(300), 1_000, n -> {
                double odds = 1 / (1 + Math.exp((n - 200) / 40.0));
                double luck = noise.nextDouble();
                return luck > 0.9 ? Verdict.INCONCLUSIVE : luck / 0.9 < odds ? Verdict.PASS : Verdict.FAIL;
            });
            assertThat(finding.end()).as("seed %d", seed).isNotNull();
            assertThat(steps).as("seed %d", seed).hasSizeLessThan(150);
            if (finding.end() == End.FOUND) {
                assertThat(times(finding.holds())).isGreaterThanOrEqualTo(2);
                assertThat(times(finding.breaks())).isGreaterThanOrEqualTo(2);
            }
        }
    }

    @Test
    void theStepCanBeANumberOfInstances() {
        Finding finding = new Simulation(1, 10_000, new StepWidth(0, 50)).run(upTo(777));
        assertThat(finding.breaks() - finding.holds()).isLessThanOrEqualTo(50);
        assertThat(finding.holds()).isBetween(727, 777);
    }

    @Test
    void findingIsAvailableAtAnyTime() {
        CapacitySearch search = new CapacitySearch(4, 100, StepWidth.DEFAULT);
        assertThat(search.finding()).isEqualTo(new Finding(null, 0, 0, false, List.of()));
        search.enter(Verdict.PASS);
        search.enter(Verdict.FAIL);
        assertThat(search.finding()).isEqualTo(new Finding(null, 4, 8, false, List.of()));
    }

    @Test
    void misuseIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new CapacitySearch(5, 4, StepWidth.DEFAULT));
        CapacitySearch ended = new CapacitySearch(1, 1, StepWidth.DEFAULT);
        ended.enter(Verdict.PASS);
        ended.enter(Verdict.PASS);
        assertThatIllegalStateException().isThrownBy(() -> ended.enter(Verdict.PASS));
    }

    private static IntFunction<Verdict> upTo(int capacity) {
        return n -> n <= capacity ? Verdict.PASS : Verdict.FAIL;
    }

    private Finding search(int start, int most, IntFunction<Verdict> machine) {
        return new Simulation(start, most, StepWidth.DEFAULT).run(machine);
    }

    private Finding search(
            int start,
            int most,
            IntFunction<Verdict> machine,
            IntFunction<Double> busyShare,
            IntFunction<Double> limitShare) {
        CapacitySearch search = new CapacitySearch(start, most, StepWidth.DEFAULT);
        for (Step step = search.next(); step != null; step = search.next()) {
            steps.add(step);
            int instances = step.instances();
            search.enter(machine.apply(instances), busyShare.apply(instances), limitShare.apply(instances));
        }
        return search.finding();
    }

    private int times(int instances) {
        return (int)
                steps.stream().filter(step -> step.instances() == instances).count();
    }

    /** A search whose trials are answered at once. */
    private final class Simulation {
        private final CapacitySearch search;

        Simulation(int start, int most, StepWidth width) {
            search = new CapacitySearch(start, most, width);
        }

        Finding run(IntFunction<Verdict> machine) {
            for (Step step = search.next(); step != null; step = search.next()) {
                steps.add(step);
                assertThat(steps).as("trials").hasSizeLessThan(MOST_TRIALS);
                search.enter(machine.apply(step.instances()));
            }
            return search.finding();
        }
    }
}
