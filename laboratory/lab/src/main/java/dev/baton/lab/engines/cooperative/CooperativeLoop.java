package dev.baton.lab.engines.cooperative;

import dev.baton.operations.settings.LoopPlan;
import dev.baton.run.Idle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A thread that runs steps in turn, with the idle strategy and the pacing of Baton's loops.
 *
 * <p>A sender on another thread publishes and calls {@link #wake}; the loop sets its flag before it parks and sweeps once
 * more, with a full fence on each side, so that no message is missed. With a latency budget the loop waits for the time of
 * its next sweep instead: often enough for the budget, and no more than half of its time while each sweep takes all that is there.
 *
 * <p>{@link #wake}, {@link #add}, {@link #work} and {@link #stop} are for any thread.
 */
final class CooperativeLoop {
    private static final VarHandle PARKED;
    private static final long WAKE_NANOS = 10_000; // a park and the wake-up behind it, as Baton assumes
    private static final long REST_NANOS = 100_000_000; // as Baton's loops that are woken for all work
    private static final long ROUND_TRIP_NANOS = 100_000; // of a record in client and broker, as Baton assumes
    private static final long MOST_SPUN_NANOS = 200_000; // with many steps, as Baton's loops with many chains
    private static final int MANY_STEPS = 96; // six for each of Baton's 16 chains
    private static final long LONG_WAIT_NANOS = 50_000; // after which a spin is short, as in Baton's loops
    private static final int SHORT_SPIN = 4;
    private static final int LONGEST_SPIN = 10_000; // idle sweeps; a strategy that still spins then does so for ever
    private static final int COSTS_PER_PERIOD = 2;
    private static final int COSTS_PER_IDLE_PERIOD = 50;
    private static final int SMOOTHED_SWEEPS = 8;
    private static final int SWEEPS_PER_BUDGET = 3;

    static {
        try {
            PARKED = MethodHandles.lookup().findVarHandle(CooperativeLoop.class, "parked", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final StepLibrary.Io io;
    private final StepLibrary.Waiting waiting;
    private final Idle idle;
    private final boolean isWoken;
    private final int batch; // most messages that a stage takes in a turn
    private final long longestPeriodNanos; // 0: no latency budget
    private final Consumer<? super Throwable> onFailure;
    private final Thread thread;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final List<LoopStep> all = new ArrayList<>();
    private LoopStep[] steps = {};
    private int idleSweeps;
    private boolean wasWaitLong; // the last one, which a wake-up or a deadline has ended
    private long workedNanos; // end of the last sweep with work, if there were many steps
    private boolean isWorkLeft; // a stage took a whole batch in the current sweep, so there may be more
    private long periodNanos;
    private long nextSweepNanos;
    private volatile long roundTripsNanos; // cost of a sweep with work in other threads and processes, as Baton adds it
    private volatile long work; // since the start, rising
    private volatile long idleCount; // sweeps without work
    private volatile boolean parked;
    private volatile boolean isStopping;

    /**
     * Starts the thread.
     *
     * @param batch most messages that a stage takes in a turn
     * @param isWoken whether all that its steps can do follows from its own work, their deadlines or a call of {@link #wake}
     * @param sweepsPerMessage sweeps until a message is through a chain, at most
     */
    CooperativeLoop(
            String name,
            StepLibrary.Io io,
            LoopPlan plan,
            int batch,
            boolean isWoken,
            int sweepsPerMessage,
            Consumer<? super Throwable> onFailure) {
        this.io = io;
        this.waiting = io.waiting();
        this.idle = plan.idleStrategy();
        this.batch = batch;
        this.isWoken = isWoken;
        this.longestPeriodNanos = plan.latencyBudgetNanos() == 0
                ? 0
                : Math.max(1, plan.latencyBudgetNanos() / ((long) SWEEPS_PER_BUDGET * sweepsPerMessage));
        this.onFailure = onFailure;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Opens a step on the loop's thread and runs it from then on, behind the others. */
    CompletableFuture<Void> add(LoopStep step) {
        CompletableFuture<Void> added = new CompletableFuture<>();
        command(() -> {
            try {
                all.add(step);
                step.open();
                steps = all.toArray(new LoopStep[0]);
                added.complete(null);
            } catch (RuntimeException | Error failed) {
                added.completeExceptionally(failed);
            }
        });
        return added;
    }

    /** Adds a chain whose messages take round trips to a server. Called by the rig's thread alone. */
    void addRoundTrips(int count) {
        roundTripsNanos += count * ROUND_TRIP_NANOS;
    }

    private void command(Runnable command) {
        commands.add(command);
        LockSupport.unpark(thread);
        wake();
    }

    /** Ends a pause because there is a message for one of its steps. */
    void wake() {
        VarHandle.fullFence();
        if (parked && PARKED.compareAndSet(this, true, false)) {
            if (waiting == null) {
                LockSupport.unpark(thread);
            } else {
                waiting.wake();
            }
        }
    }

    private void run() {
        try {
            nextSweepNanos = System.nanoTime();
            while (!isStopping) {
                for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                    command.run();
                }
                long began = longestPeriodNanos == 0 ? 0 : System.nanoTime();
                int done = sweep();
                if (longestPeriodNanos > 0) {
                    pace(System.nanoTime() - began, done);
                } else {
                    pause(done);
                }
            }
        } catch (Throwable failed) { // also what a library throws that is no exception
            onFailure.accept(failed);
        } finally {
            close();
        }
    }

    private int sweep() {
        int done = io.turn();
        isWorkLeft = false;
        for (LoopStep step : steps) {
            int taken = step.turn();
            done += taken;
            isWorkLeft |= taken >= batch && !(step instanceof LoopStep.Feeding);
        }
        if (done > 0) {
            work += done;
        } else {
            idleCount++;
        }
        return done;
    }

    private void pause(int done) {
        if (done > 0) {
            idleSweeps = 0;
            parked = false;
            if (steps.length >= MANY_STEPS) {
                workedNanos = System.nanoTime();
            }
            return;
        }
        idleSweeps = Math.min(idleSweeps, Integer.MAX_VALUE - 1) + 1;
        if (wasWaitLong || steps.length >= MANY_STEPS) {
            boundSpin();
        }
        long nanos = idle.pauseNanos(idleSweeps);
        if (nanos == Idle.SPIN) {
            Thread.onSpinWait();
        } else if (nanos == Idle.YIELD) {
            Thread.yield();
        } else if (!parked) {
            parked = true;
            VarHandle.fullFence(); // and sweep once more
        } else {
            long wait = Math.min(isWoken ? REST_NANOS : nanos, untilDeadline());
            if (wait > 0) {
                long begunNanos = System.nanoTime();
                await(wait);
                wasWaitLong = isWoken && System.nanoTime() - begunNanos >= LONG_WAIT_NANOS;
            }
        }
    }

    /** Ends a spin that has lasted long enough, unless its strategy always spins. */
    private void boundSpin() {
        boolean isOver = wasWaitLong && idleSweeps > SHORT_SPIN
                || steps.length >= MANY_STEPS && System.nanoTime() - workedNanos > MOST_SPUN_NANOS;
        if (idleSweeps <= LONGEST_SPIN && isOver) {
            while (idleSweeps <= LONGEST_SPIN && idle.pauseNanos(idleSweeps) == Idle.SPIN) {
                idleSweeps++;
            }
        }
    }

    private void await(long nanos) {
        if (waiting == null) {
            LockSupport.parkNanos(nanos);
        } else {
            waiting.await(nanos);
        }
    }

    private long untilDeadline() {
        long now = System.nanoTime();
        long earliest = Long.MAX_VALUE;
        for (LoopStep step : steps) {
            long deadline = step.deadlineNanos();
            if (deadline != Long.MAX_VALUE) {
                earliest = Math.min(earliest, deadline - now);
            }
        }
        return earliest;
    }

    private void pace(long sweepNanos, int done) {
        long cost = sweepNanos + WAKE_NANOS;
        long wanted = done > 0 ? (cost + roundTripsNanos) * COSTS_PER_PERIOD : cost * COSTS_PER_IDLE_PERIOD;
        periodNanos += (Math.min(longestPeriodNanos, wanted) - periodNanos) / SMOOTHED_SWEEPS;
        long now = System.nanoTime();
        nextSweepNanos = isWorkLeft ? now : Math.max(now, nextSweepNanos + periodNanos);
        for (long left = nextSweepNanos - now; left > 0; left = nextSweepNanos - System.nanoTime()) {
            if (isStopping || !commands.isEmpty()) {
                nextSweepNanos = System.nanoTime();
                return;
            }
            LockSupport.parkNanos(left);
        }
    }

    /** {@return the sweeps without work so far; it rises while the loop finds nothing} */
    long idleCount() {
        return idleCount;
    }

    /** {@return the work done so far} */
    long work() {
        return work;
    }

    /** Asks the library on the loop's thread whether nothing is on its way. */
    CompletableFuture<Boolean> isQuiet() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        command(() -> {
            try {
                answer.complete(io.isQuiet());
            } catch (RuntimeException failed) {
                answer.completeExceptionally(failed);
            }
        });
        return answer;
    }

    /** Ends the thread, which closes its steps. */
    void stop() {
        isStopping = true;
        LockSupport.unpark(thread);
        wake();
    }

    /** {@return whether the thread has ended by then} */
    boolean awaitEnd(long deadlineNanos) throws InterruptedException {
        long left = deadlineNanos - System.nanoTime();
        thread.join(Math.max(1, left / 1_000_000));
        return !thread.isAlive();
    }

    private void close() {
        for (LoopStep step : all) {
            close(step);
        }
        close(io);
    }

    private void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception left) {
            onFailure.accept(left);
        }
    }
}
