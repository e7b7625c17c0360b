package dev.baton.tck;

import dev.baton.spi.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Gives connections their turns until something has come true: the one way in which these tests wait.
 *
 * <p>Confined to the thread of its connections.
 */
public final class Turns {
    /** The first wait after work; as long as none comes, each wait is twice as long as the one before it. */
    private static final long FIRST_AWAIT_NANOS = 50_000;

    /** From 1 ms on, Kafka's client waits in one poll for what comes. */
    private static final long LONGEST_AWAIT_NANOS = 1_000_000;

    /** Between two checks of what another thread does: that thread may need this core. */
    private static final long PAUSE_NANOS = 200_000;

    /** What a settling transport gets at least. */
    private static final int LEAST_TURNS = 10;

    private final List<Connection> connections;
    private final long limitNanos;
    private long awaitNanos; // the next wait for news

    /**
     * Takes turns on some connections of this thread.
     *
     * @param limit after which what is awaited has failed to come
     */
    public Turns(Duration limit, Connection... connections) {
        this.connections = List.of(connections);
        this.limitNanos = limit.toNanos();
    }

    /**
     * Takes turns until the condition holds.
     *
     * @param what is awaited, for the error text
     * @throws AssertionError when the limit has passed
     */
    public void until(String what, BooleanSupplier condition) {
        awaitNanos = FIRST_AWAIT_NANOS;
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > limitNanos) {
                throw new AssertionError(
                        "waited " + Duration.ofNanos(limitNanos).toMillis() + " ms for " + what);
            }
            turn();
        }
    }

    /** Takes turns for a while, and a few at least, so that what must not happen has its chance. */
    public void settle(Duration time) {
        awaitNanos = FIRST_AWAIT_NANOS;
        long start = System.nanoTime();
        for (int turns = 0; turns < LEAST_TURNS || System.nanoTime() - start < time.toNanos(); turns++) {
            turn();
        }
    }

    private void turn() {
        int work = 0;
        for (Connection connection : connections) {
            work += connection.doWork();
        }
        if (connections.isEmpty()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        } else if (work == 0) {
            connections.get(0).await(awaitNanos);
            awaitNanos = Math.min(2 * awaitNanos, LONGEST_AWAIT_NANOS);
        } else {
            awaitNanos = FIRST_AWAIT_NANOS;
        }
    }
}
