package dev.baton.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What ends the wait of a loop with a latency budget, and what does not. */
class PacedLoopTest {
    private static final long BUDGET_NANOS = 3_000_000;

    private final ParkingEnvironment environment = new ParkingEnvironment();
    private final Loop loop = new Loop(environment, Idle.backoff(), BUDGET_NANOS, false, true);
    private int turns;

    @Test
    void aCommitOfAnotherThreadCostsNoWakeUp() {
        loop.add(new Turns());
        environment.whileParked = loop::wake;
        loop.run();
        loop.run();
        assertThat(environment.unparks).as("wake-ups by commits").isZero();
        assertThat(environment.parks).as("one wait per period").containsExactly(1_000_000L, 1_000_000L);
        assertThat(turns).isEqualTo(2);
    }

    @Test
    void aSweepThatIsAskedForBeginsAtOnce() {
        loop.add(new Turns());
        environment.whileParked = loop::sweepSoon;
        loop.run();
        assertThat(environment.unparks).isEqualTo(1);
        assertThat(environment.parks).containsExactly(1_000_000L);
        environment.whileParked = () -> {};
        loop.run();
        assertThat(environment.parks).as("the period begins anew").containsExactly(1_000_000L, 1_000_000L);
        assertThat(turns).isEqualTo(2);
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
