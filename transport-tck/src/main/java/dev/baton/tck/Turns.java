package dev.baton.tck;

import dev.baton.spi.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A wait for a condition that takes turns of connections meanwhile; these tests wait in no other way.
 *
 * <p>Confined to the thread of its connections.
 */
public final class Turns {
    /** The first wait after work; as long as none comes, each wait is twice as long as the one before it. */
    private static final long FIRST_AWAIT_NANOS = 50_000;

    /** The longest wait: from 1 ms on, Kafka's client waits for records in one poll. */
    private static final long LONGEST_AWAIT_NANOS = 1_000_000;

    /** The pause between two checks of another thread, which may need this core. */
    private static final long PAUSE_NANOS = 200_000;

    /** The least number of turns of {@link #settle}. */
    private static final int LEAST_TURNS = 10;

    private final List<Connection> connections;
    private final long limitNanos;
    private long awaitNanos; // of the next wait
    private long turns; // since the last wait began, as are the two below
    private long worked; // turns in which a connection reported work
    private long lastWorkNanos;

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
        until(what, null, null, condition);
    }

    /**
     * Takes turns until the condition holds, which a rule of the contract requires.
     *
     * @param what is awaited, for the error text
     * @param rule of the contract that is broken if it does not come, a sentence without a full stop
     * @throws AssertionError when the limit has passed
     */
    public void until(String what, String rule, BooleanSupplier condition) {
        until(what, rule, null, condition);
    }

    /**
     * Takes turns until the condition holds, which a rule of the contract requires.
     *
     * @param what is awaited, for the error text
     * @param rule of the contract that is broken if it does not come, a sentence without a full stop
     * @param state describes what there is instead when the limit has passed
     * @throws AssertionError when the limit has passed
     */
    public void until(String what, String rule, Supplier<String> state, BooleanSupplier condition) {
        awaitNanos = FIRST_AWAIT_NANOS;
        turns = 0;
        worked = 0;
        long start = System.nanoTime();
        lastWorkNanos = start;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > limitNanos) {
                throw new AssertionError("waited " + millis(limitNanos) + " ms for " + what
                        + (state == null ? "" : "; " + state.get()) + reported()
                        + (rule == null ? "" : "; rule: " + rule));
            }
            turn();
        }
    }

    /** Takes turns for a time, and a few at least, so that a forbidden event can happen. */
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
        turns++;
        if (connections.isEmpty()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        } else if (work == 0) {
            connections.get(0).await(awaitNanos);
            awaitNanos = Math.min(2 * awaitNanos, LONGEST_AWAIT_NANOS);
        } else {
            awaitNanos = FIRST_AWAIT_NANOS;
            worked++;
            lastWorkNanos = System.nanoTime();
        }
    }

    /** Returns the last report of the connections: work or none, as a failure would have ended the wait. */
    private String reported() {
        if (connections.isEmpty()) {
            return "";
        }
        return "; the connection reported no failure, and "
                + (worked == 0
                        ? "no work in " + turns + " turns"
                        : "work in " + worked + " of " + turns + " turns, the last "
                                + millis(System.nanoTime() - lastWorkNanos) + " ms ago");
    }

    private static long millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis();
    }
}
