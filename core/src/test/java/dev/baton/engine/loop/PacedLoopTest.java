package dev.baton.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.run.Idle;
import org.junit.jupiter.api.Test;

/** What ends the wait of a loop with a latency budget, and what does not. */
class PacedLoopTest {
    private static final long BUDGET_NANOS = 3_000_000;
    private static final long LONGEST_NANOS = BUDGET_NANOS / 3;

    private final ParkingEnvironment environment = new ParkingEnvironment();
    private final Loop loop = new Loop(environment, Idle.backoff(), BUDGET_NANOS, false, true);
    private int turns;

    @Test
    void commitOfAnotherThreadCostsNoWakeUp() {
        loop.add(new Turns());
        environment.whileParked = loop::wake;
        loop.run();
        loop.run();
        assertThat(environment.unparks).as("wake-ups by commits").isZero();
        assertThat(environment.parks).as("one wait per period").hasSize(2).allMatch(PacedLoopTest::isPeriod);
        assertThat(turns).isEqualTo(2);
    }

    @Test
    void sweepThatIsAskedForBeginsAtOnce() {
        loop.add(new Turns());
        environment.whileParked = loop::sweepSoon;
        loop.run();
        assertThat(environment.unparks).isEqualTo(1);
        assertThat(environment.parks).hasSize(1).allMatch(PacedLoopTest::isPeriod);
        environment.whileParked = () -> {};
        loop.run();
        assertThat(environment.parks).as("the period begins anew").hasSize(2).allMatch(PacedLoopTest::isPeriod);
        assertThat(turns).isEqualTo(2);
    }

    @Test
    void sweepThatLeavesWorkIsFollowedAtOnce() {
        loop.add(new Turns());
        loop.sweepAgain();
        loop.run();
        assertThat(environment.parks).isEmpty();
        loop.run();
        assertThat(environment.parks)
                .as("the next sweep leaves none")
                .hasSize(1)
                .allMatch(PacedLoopTest::isPeriod);
    }

    @Test
    void theEndOfTheLoopsEndsTheWait() {
        loop.add(new Turns());
        environment.whileParked = loop::stop;
        assertThat(loop.run()).isTrue();
        assertThat(environment.unparks).isPositive();
        assertThat(environment.parks).hasSize(1);
        assertThat(loop.run()).as("there are more turns").isFalse();
    }

    private static boolean isPeriod(long nanos) {
        return nanos > 0 && nanos <= LONGEST_NANOS;
    }

    /** Counts its turns. */
    private final class Turns implements Task {
        @Override
        public void open(Connections connections) {}

        @Override
        public int doWork() {
            return turns++;
        }

        @Override
        public void failed(Throwable cause) {}

        @Override
        public void close() {}
    }
}
