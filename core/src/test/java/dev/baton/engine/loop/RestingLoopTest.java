package dev.baton.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.run.Idle;
import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Pauses of idle loops. */
class RestingLoopTest {
    private static final long USUAL_NANOS = 1_000_000;
    private static final long REST_NANOS = 100_000_000;
    private static final int MANY_SWEEPS = 200;

    private final ParkingEnvironment world = new ParkingEnvironment();
    private final Loop loop = new Loop(world, idleSweeps -> USUAL_NANOS, 0, false, false);

    private boolean isWoken = true;
    private long deadline = Long.MAX_VALUE;

    @Test
    void loopOfWokenTasksRests() {
        loop.run(); // has a thread from here on
        loop.add(new Idling());
        assertThat(pause()).isEqualTo(REST_NANOS);
    }

    @Test
    void spinOfLongSweepsEndsEarly() {
        assertThat(sweepsBeforePause(Idle.backoff(), 15))
                .isEqualTo(66); // after 64 that spin, the loop sweeps once more
        assertThat(sweepsBeforePause(Idle.backoff(), 16)).isEqualTo(3); // the second one ends the spin, after 300 us
        assertThat(sweepsBeforePause(Idle.spin(), 16)).isEqualTo(MANY_SWEEPS);
    }

    /** Returns the number of sweeps of 150 us that a loop makes before it pauses. */
    private int sweepsBeforePause(Idle idle, int tasks) {
        ParkingEnvironment world = new ParkingEnvironment();
        Loop loop = new Loop(world, idle, 0, false, true);
        for (int i = 0; i < tasks; i++) {
            loop.add(new Idling() {
                @Override
                public int doWork() {
                    world.now += 150_000 / tasks;
                    return 0;
                }
            });
        }
        int sweeps = 0;
        while (world.parks.isEmpty() && sweeps < MANY_SWEEPS) {
            loop.run();
            sweeps++;
        }
        return sweeps;
    }

    @Test
    void spinAfterLongWaitIsShort() {
        assertThat(sweepsAfterWait(Idle.backoff(), 49_999)).isEqualTo(66);
        assertThat(sweepsAfterWait(Idle.backoff(), 50_000)).isEqualTo(6); // four spin, the fifth ends the spin
        assertThat(sweepsAfterWait(sweeps -> sweeps <= 2 ? Idle.SPIN : 1_000_000, 50_000))
                .isEqualTo(4);
    }

    @Test
    void waitWithoutWakeUpShortensNoSpin() {
        isWoken = false; // so a wait tells nothing about the time between messages
        assertThat(sweepsAfterWait(Idle.backoff(), 50_000)).isEqualTo(66);
    }

    /** Returns the number of sweeps without work between work that has ended a wait after some nanoseconds, and the next wait. */
    private int sweepsAfterWait(Idle idle, long waitNanos) {
        ParkingEnvironment world = new ParkingEnvironment();
        Loop loop = new Loop(world, idle, 0, false, true);
        boolean[] hasNews = {false};
        loop.add(new Idling() {
            @Override
            public int doWork() {
                int work = hasNews[0] ? 1 : 0;
                hasNews[0] = false;
                return work;
            }
        });
        world.whileParked = () -> {
            world.unparks++;
            world.now += waitNanos;
            hasNews[0] = true;
        };
        while (world.parks.isEmpty()) {
            loop.run();
        }
        loop.run(); // which finds the news
        int sweeps = 0;
        while (world.parks.size() < 2 && sweeps < MANY_SWEEPS) {
            loop.run();
            sweeps++;
        }
        return sweeps;
    }

    @Test
    void taskThatIsNotWokenKeepsPausesShort() {
        loop.run();
        isWoken = false;
        loop.add(new Idling());
        assertThat(pause()).isEqualTo(USUAL_NANOS);
    }

    @Test
    void restEndsAtDeadline() {
        loop.run();
        loop.add(new Idling());
        deadline = world.now + 7_000_000;
        assertThat(pause()).isEqualTo(7_000_000);
    }

    @Test
    void taskThatIsDueAndCannotWorkAllowsPauses() {
        loop.run();
        loop.add(new Idling());
        deadline = world.now;
        world.parks.clear();
        for (int sweep = 0; sweep < 10; sweep++) {
            loop.run();
        }
        assertThat(world.parks)
                .as("pauses while it has no room, for example")
                .hasSizeGreaterThan(5)
                .containsOnly(USUAL_NANOS);
    }

    @Test
    void connectionThatNeedsTurnsKeepsPausesShort() {
        assertThat(awaited(false)).isEqualTo(USUAL_NANOS);
    }

    @Test
    void loopRestsInConnectionThatAwaitsNews() {
        assertThat(awaited(true)).isEqualTo(REST_NANOS);
    }

    @Test
    void virtualLoopHoldsNoCarrierForLong() {
        Loop virtual = new Loop(world, idleSweeps -> USUAL_NANOS, 0, true, false);
        AtomicLong awaited = new AtomicLong();
        virtual.run();
        virtual.add(over(new Needy(awaited, true)));
        virtual.run();
        virtual.run();
        assertThat(awaited).hasValue(USUAL_NANOS);
    }

    @Test
    void twoConnectionsThatAwaitNewsNeedTurns() {
        loop.run();
        loop.add(over(new Needy(new AtomicLong(), true)));
        loop.add(over(new Needy(new AtomicLong(), true)));
        assertThat(pause()).isEqualTo(USUAL_NANOS);
    }

    @Test
    void interruptDoesNotEndPauses() {
        loop.run();
        loop.add(new Idling());
        Thread.currentThread().interrupt();
        assertThat(pause()).isEqualTo(REST_NANOS);
        assertThat(Thread.interrupted()).as("interrupt that ends each pause").isFalse();
    }

    /** Returns how long the loop waits in its only connection. */
    private long awaited(boolean awaitsNews) {
        AtomicLong awaited = new AtomicLong();
        loop.run();
        loop.add(over(new Needy(awaited, awaitsNews)));
        loop.run();
        loop.run();
        return awaited.get();
    }

    /** Returns a task that opens a connection. */
    private Task over(Connection connection) {
        return new Idling() {
            @Override
            public void open(Connections connections) {
                connections.to((Transport) Proxy.newProxyInstance(
                        Transport.class.getClassLoader(),
                        new Class<?>[] {Transport.class},
                        (proxy, method, arguments) -> connection));
            }
        };
    }

    private long pause() {
        world.parks.clear();
        loop.run();
        loop.run();
        return world.parks.get(0);
    }

    private class Idling implements Task {
        @Override
        public void open(Connections connections) {}

        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public boolean isWoken() {
            return isWoken;
        }

        @Override
        public long deadlineNanos() {
            return deadline;
        }

        @Override
        public void failed(Throwable cause) {}

        @Override
        public void close() {}
    }

    private record Needy(AtomicLong awaited, boolean awaitsNews) implements Connection {
        @Override
        public Opening<TopicWriter> beginWriter(String topic, String topology) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void await(long nanos) {
            awaited.set(nanos);
        }

        @Override
        public void close() {}
    }
}
