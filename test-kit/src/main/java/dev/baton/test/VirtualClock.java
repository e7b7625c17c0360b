package dev.baton.test;

import dev.baton.run.Environment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/**
 * An environment whose time the test advances, for {@link dev.baton.run.Loops#manual}: {@code Loops.manual().in(clock)}. It begins on
 * 2030-01-01T00:00Z, and {@link #nanoTime} begins at one hour. A thread that waits is not suspended: the time passes at once. The
 * environment has no threads, so concurrent calls of services ({@link dev.baton.Concurrency}) are made when their messages are taken; the
 * hostile mode makes them in a drawn order. Confined to one thread.
 */
public final class VirtualClock implements Environment {
    /** The start time of every clock. */
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private static final long START_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long WALL_OFFSET = TimeUnit.SECONDS.toNanos(START.getEpochSecond()) - START_NANOS;
    private static final long PATIENCE = 20_000; // reads without progress
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private record Timer(long due, CompletableFuture<Void> ended) {}

    private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::due));
    private long now = START_NANOS;
    private final List<Runnable> calls = new ArrayList<>(); // concurrent calls that wait
    private boolean areCallsDeferred;
    private boolean isImpatient;
    private long readings;

    /** Starts a clock at {@link #START}. */
    public VirtualClock() {}

    /** {@return the time by the wall clock} */
    public Instant now() {
        long wall = now + WALL_OFFSET;
        return Instant.ofEpochSecond(
                Math.floorDiv(wall, TimeUnit.SECONDS.toNanos(1)), Math.floorMod(wall, TimeUnit.SECONDS.toNanos(1)));
    }

    /** {@return how long the clock has run} */
    public Duration elapsed() {
        return Duration.ofNanos(now - START_NANOS);
    }

    /** Advances the time, and ends the timers that are due. */
    void advance(long nanos) {
        now += nanos;
        while (!timers.isEmpty() && timers.peek().due() <= now) {
            timers.poll().ended().complete(null);
        }
    }

    /** Returns the time until the next timer ends; {@link Long#MAX_VALUE} for none. */
    long nanosToTimer() {
        timers.removeIf(timer -> timer.ended().isDone());
        return timers.isEmpty() ? Long.MAX_VALUE : timers.peek().due() - now;
    }

    /** Returns a future that completes when the time has advanced that far. */
    @Override
    public CompletableFuture<Void> after(Duration delay) {
        long nanos = Math.min(delay.toNanos(), Long.MAX_VALUE - now); // a longer delay would end in the past
        Timer timer = new Timer(now + nanos, new CompletableFuture<>());
        timers.add(timer);
        return timer.ended();
    }

    /**
     * Sets whether frequent reads advance the clock, so that a wait that polls it ends, such as the close of a chain that cannot drain.
     */
    void impatient(boolean comesToAnEnd) {
        isImpatient = comesToAnEnd;
        readings = 0;
    }

    /** Sets whether concurrent calls wait for {@link #makeCall}. Those that wait are made when they no longer have to. */
    void deferCalls(boolean areDeferred) {
        areCallsDeferred = areDeferred;
        while (!areDeferred && !calls.isEmpty()) {
            makeCall(count -> 0);
        }
    }

    /** Makes one of the concurrent calls that wait, which is chosen by their number; returns the number of calls made. */
    int makeCall(IntUnaryOperator choice) {
        if (calls.isEmpty()) {
            return 0;
        }
        calls.remove(choice.applyAsInt(calls.size())).run();
        return 1;
    }

    /** Forgets the concurrent calls that wait, because their process has ended. */
    void dropCalls() {
        calls.clear();
    }

    @Override
    public long nanoTime() {
        if (isImpatient && ++readings > PATIENCE) {
            now += STEP_NANOS;
        }
        return now;
    }

    @Override
    public long wallNanos() {
        return nanoTime() + WALL_OFFSET;
    }

    @Override
    public Thread thread() {
        return Thread.currentThread();
    }

    /** Advances the time. */
    @Override
    public void park(long nanos) {
        advance(Math.max(0, nanos));
    }

    @Override
    public void unpark(Thread thread) {
        // no thread is suspended
    }

    @Override
    public void yield() {
        // there is no other thread
    }

    @Override
    public void spin() {
        // there is no other thread
    }

    /** Throws: everything runs on the calling thread. */
    @Override
    public Thread start(String name, ThreadFactory threads, Worker worker) {
        Objects.requireNonNull(name, "name");
        throw new IllegalStateException("a virtual clock has no threads, so it cannot start " + name
                + "; use Loops.manual().in(clock) and turn()");
    }

    @Override
    public Executor workers(String name) {
        return call -> {
            if (areCallsDeferred) {
                calls.add(call);
            } else {
                call.run();
            }
        };
    }

    @Override
    public boolean join(Thread thread, long nanos) {
        return true;
    }
}
