package dev.baton.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.simulation.plan.Choices;
import dev.baton.simulation.plan.Reached;
import dev.baton.simulation.time.Carrier;
import dev.baton.simulation.world.ScheduleOutcome;
import dev.baton.simulation.world.ScheduleRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That core keeps its promises in thousands of schedules, and that schedules are what their seeds make them. */
@Tag("long")
class SimulationTest {
    private static final int SCHEDULES = 4_000;

    @BeforeEach
    void quietCore() {
        Quiet.core();
    }

    @Test
    void coreKeepsAllRules() {
        assertThat(Hunt.find(1, SCHEDULES, "")).isNull();
    }

    @Test
    void schedulesAreLongAndMeetFaults() {
        long steps = 0;
        long faults = 0;
        try (Carrier.Pool pool = new Carrier.Pool()) {
            for (int seed = 1; seed <= 200; seed++) {
                ScheduleOutcome outcome = ScheduleRun.run(pool, Choices.of(seed), false);
                steps += outcome.steps();
                for (int met : outcome.faults()) {
                    faults += met;
                }
            }
        }
        assertThat(steps / 200).isGreaterThan(200);
        assertThat(faults).isGreaterThan(150);
    }

    @Test
    void schedulesReachRareSituations() {
        int[] met = new int[Reached.values().length];
        try (Carrier.Pool pool = new Carrier.Pool()) {
            for (int seed = 1; seed <= 600; seed++) {
                ScheduleOutcome outcome = ScheduleRun.run(pool, Choices.of(seed), false);
                for (Reached each : Reached.values()) {
                    met[each.ordinal()] += outcome.met()[each.ordinal()];
                }
            }
        }
        for (Reached each : Reached.values()) {
            assertThat(met[each.ordinal()]).as(each.meaning).isGreaterThan(10);
        }
    }

    @Test
    void aSeedGivesTheSameScheduleAgain() {
        assertThat(hashes()).isEqualTo(hashes());
    }

    @Test
    void seedGivesSameScheduleInAnotherJvm() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Hashes.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(other.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(answer.trim()).isEqualTo(hashes());
    }

    @Test
    void choicesThatAreReplayedGiveTheSameSchedule() {
        try (Carrier.Pool pool = new Carrier.Pool()) {
            ScheduleOutcome drawn = ScheduleRun.run(pool, Choices.of(7), false);
            ScheduleOutcome replayed = ScheduleRun.run(pool, Choices.replay(drawn.choices()), false);
            assertThat(replayed.hash()).isEqualTo(drawn.hash());
        }
    }

    private static String hashes() {
        return Hashes.of(1, 60);
    }

    /** Prints what schedules come to. */
    static final class Hashes {
        private Hashes() {}

        public static void main(String[] none) {
            Quiet.core();
            System.out.println(of(1, 60));
        }

        static String of(long first, int count) {
            StringBuilder text = new StringBuilder();
            try (Carrier.Pool pool = new Carrier.Pool()) {
                for (long seed = first; seed < first + count; seed++) {
                    ScheduleOutcome outcome = ScheduleRun.run(pool, Choices.of(seed), false);
                    text.append(Long.toHexString(outcome.hash())).append(' ');
                }
            }
            return text.toString().trim();
        }
    }
}
