package dev.baton.lab.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order of a matrix. */
class ScheduleTest {
    private static final long SECOND = 1_000_000_000L;

    private static final List<Variant> THREE = List.of(
            Variant.of("jdk17 g1", trial(false)),
            Variant.skipped("jdk17 gen-zgc", "none"),
            Variant.of("x", trial(false)));

    static PlannedTrial trial(boolean needsBroker) {
        TrialPlan plan = new TrialPlan(
                "plain",
                new Subject(Subject.BATON, "plain", Map.of()),
                new Shape(5, 1, 0),
                new Load(1_000, Load.Arrivals.EVEN, 1),
                new LoopPlan("cooperative:1", null, 0),
                new Phases(2 * SECOND, 4 * SECOND, SECOND),
                List.of());
        return new PlannedTrial(plan, InstalledJvm.current(), List.of(), null, needsBroker ? 1 : 0);
    }

    @Test
    void everyVariantRunsOncePerRoundFirstTwice() {
        RoundOrder schedule = RoundOrder.of(THREE, 3, 1);
        assertThat(schedule.variants())
                .extracting(Variant::name)
                .containsExactly("jdk17 g1", "jdk17 gen-zgc", "x", "jdk17 g1 (again)");
        assertThat(schedule.turns()).hasSize(9);
        for (int round = 0; round < 3; round++) {
            assertThat(schedule.turns().subList(3 * round, 3 * round + 3))
                    .extracting(RoundOrder.Turn::variant)
                    .containsExactlyInAnyOrder(0, 2, 3);
        }
    }

    @Test
    void theOrderIsDrawnFromTheSeed() {
        List<Variant> many = IntStream.range(0, 20)
                .mapToObj(i -> Variant.of("v" + i, trial(false)))
                .toList();
        assertThat(order(many, 1)).isEqualTo(order(many, 1)).isNotEqualTo(order(many, 2));
    }

    private static List<Integer> order(List<Variant> variants, long seed) {
        return RoundOrder.of(variants, 2, seed).turns().stream()
                .map(RoundOrder.Turn::variant)
                .toList();
    }

    @Test
    void trialsHaveUniqueFileNames() {
        Variant odd = Variant.of("keys 5000 -XX:+UseX / ä " + "y".repeat(100), trial(false));
        assertThat(RoundOrder.of(List.of(odd, odd), 2, 1).turns())
                .extracting(turn -> turn.trial().plan().id())
                .doesNotHaveDuplicates()
                .anyMatch(id -> id.matches("01\\.1-keys-5000-XX-UseX-y{42}-[0-9a-f]{8}"))
                .allMatch(id -> id.matches("[A-Za-z0-9.-]{1,100}"));
    }

    @Test
    void longNamesDifferByTheirEnds() {
        String begin = "y".repeat(100);
        List<Variant> two = List.of(Variant.of(begin + " 1", trial(false)), Variant.of(begin + " 2", trial(false)));
        List<String> names = RoundOrder.of(two, 1, 1).turns().stream()
                .sorted(Comparator.comparing(RoundOrder.Turn::variant))
                .map(turn -> turn.trial().plan().id().substring("01.1-".length()))
                .toList();
        assertThat(names.get(0)).isNotEqualTo(names.get(1));
        assertThat(names.get(2)).isEqualTo(names.get(0) + "-again");
    }

    @Test
    void namesOfDifferentRowsDiffer() {
        List<Variant> two =
                List.of(Variant.of("-XX:+UseNUMA plain", trial(false)), Variant.of("-XX:-UseNUMA plain", trial(false)));
        List<String> names = RoundOrder.of(two, 1, 1).turns().stream()
                .sorted(Comparator.comparing(RoundOrder.Turn::variant))
                .map(turn -> turn.trial().plan().id().substring("01.1-".length()))
                .toList();
        assertThat(names.get(0)).isNotEqualTo(names.get(1));
        assertThat(names.get(2)).isEqualTo(names.get(0) + "-again");
    }

    @Test
    void theEstimateCountsStartsAndBrokers() {
        assertThat(RoundOrder.of(List.of(Variant.of("a", trial(false))), 3, 1).estimate())
                .isEqualTo(Duration.ofSeconds(60));
        assertThat(RoundOrder.of(List.of(Variant.of("a", trial(true))), 3, 1).estimate())
                .isEqualTo(Duration.ofSeconds(120));
    }
}
