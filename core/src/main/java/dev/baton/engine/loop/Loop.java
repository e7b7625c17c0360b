package dev.baton.engine.loop;

import dev.baton.run.Environment;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.run.Loops.LoopStatus;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * A thread that runs many tasks in turn, none of which blocks. Agrona calls it an {@code AgentRunner}.
 *
 * <p>A sweep gives a turn to every connection and every task. A sweep without work is followed by a pause that the {@link
 * Idle} strategy bounds, unless all its tasks are woken for their work. With a latency budget, every sweep is followed by a
 * wait for the time of the next one.
 *
 * <p>No wake-up is lost: before a loop parks, it sets {@link #parked} and sweeps once more. A writer on another thread
 * first publishes and then reads the flag. Each side has a full fence between its store and its load, because transports
 * publish with a release store, which a later load may overtake. So either the sweep finds the message, or the writer sees
 * the flag and unparks the loop.
 *
 * <p>A loop with a latency budget does not set the flag while it waits for the time of its next sweep, so a commit of
 * another thread then costs no wake-up. Commands, {@link #sweepSoon} and the end always unpark it, and it checks for them
 * before each park.
 *
 * <p>{@link #run}, {@link #turn}, {@link #closeManual} and {@link #fail} are confined to the loop's thread; everything else is
 * thread-safe.
 */
public final class Loop {
    private static final VarHandle PARKED;

    /** The pause of an idle loop that is woken for all work of its tasks. */
    private static final long REST_NANOS = 100_000_000;

    /** The longest pause of a loop with a task that is due and cannot work, as it has no room for what it sends. */
    private static final long OVERDUE_NANOS = 1_000_000;

    /**
     * The longest spin of a loop with many tasks, whose sweeps take long. With the usual number of sweeps, a loop with 350 chains over
     * Chronicle spun for some 20 ms after each message, and kept its core busy at 250 messages per second.
     */
    private static final long MOST_SPUN_NANOS = 200_000;

    /** The number of tasks from which on a spin is timed. A sweep over fewer is short, and a look at the clock would prolong it. */
    private static final int MANY_TASKS = 16;

    /**
     * The shortest wait until a wake-up after which the next spin is short. A spin takes some 6 us: between messages that are farther apart
     * it finds nothing, and takes more CPU time than they do. A shorter wait may have been the time of the wake-up alone.
     */
    private static final long LONG_WAIT_NANOS = 50_000;

    /** The sweeps of a short spin. */
    private static final int SHORT_SPIN = 4;

    /** The most sweeps for which an idle strategy is asked whether its spin ends. */
    private static final int LONGEST_SPIN = 10_000;

    /** The interval between two steps of a task that is being closed. */
    private static final long CLOSING_NANOS = 200_000;

    static {
        try {
            PARKED = MethodHandles.lookup().findVarHandle(Loop.class, "parked", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Environment environment;
    private final Idle idle;
    private final long budgetNanos;
    private final boolean isVirtual;
    private final boolean isManual;
    private final LoopConnections connections;
    private final ClosingTasks closings;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final List<Task> begun = new ArrayList<>(); // tasks that have begun and are not added yet
    private final Set<Task> tasks = new LinkedHashSet<>();
    private final List<Task> failed = new ArrayList<>();

    private Task[] swept = {};
    private boolean areTasksChanged; // whether tasks were removed or changed since the array was made
    private int sweeps = 1; // maximum of the sweeps that a message needs to pass one task
    private int roundTrips; // sum of the sweeps of tasks that need several
    private boolean isSweeping;
    private int idleSweeps;
    private int spins = -1; // of the idle strategy; not known yet
    private long workedNanos; // end of the last sweep with work, if there were many tasks
    private boolean wasWaitLong; // the last one, which a wake-up or a deadline has ended
    private boolean wasDue; // a deadline had passed before the last sweep, which found no work
    private long nextDeadlineNanos; // until the earliest deadline that has not passed, as it was looked for last
    private boolean wasInterrupted; // and has logged it
    private boolean isWorkLeft; // of the current sweep; paced loops only
    private final Pacing pacing = new Pacing();
    private long sweptNanos; // begin of the current sweep; paced loops only
    private long nextSweepNanos;
    private volatile SweepTimes times; // null until sweeps are measured; set by the loop
    private volatile Thread thread;
    private volatile boolean parked;
    private volatile boolean isWakeRequested;
    private volatile boolean isStopping;
    private volatile CompletableFuture<?> unanswered; // question of a close that has stopped waiting; null for none

    Loop(Environment environment, Idle idle, long budgetNanos, boolean isVirtual, boolean isManual) {
        this.environment = environment;
        this.connections = new LoopConnections(environment);
        this.closings = new ClosingTasks(connections);
        this.idle = idle;
        this.budgetNanos = budgetNanos;
        this.isVirtual = isVirtual;
        this.isManual = isManual;
    }

    /**
     * Begins the task on the loop's thread, where it declares what it is going to open. The caller then prepares that and adds
     * the task, or removes it.
     *
     * @param task task that has not begun
     * @return a future that completes when the task has begun
     */
    public CompletableFuture<Void> begin(Task task) {
        return command(() -> {
            closingOnFailure(task, () -> task.begin(connections.countedFor(task)));
            begun.add(task);
        });
    }

    /**
     * Opens the task on the loop's thread and runs it from then on. If the returned future is cancelled before the loop opens
     * the task, the task is not opened; {@link #remove} has to follow in any case.
     *
     * @param task task that has begun, or has nothing to begin
     * @return a future that completes when the task is open
     */
    public CompletableFuture<Void> add(Task task) {
        return command(() -> {
            begun.remove(task);
            closingOnFailure(task, () -> task.open(connections.countedFor(task)));
            tasks.add(task);
            if (!areTasksChanged && !failed.contains(task)) {
                swept = Arrays.copyOf(swept, swept.length + 1);
                swept[swept.length - 1] = task;
                count(task);
                pacing.bound(budgetNanos, sweeps, roundTrips);
            }
        });
    }

    private void closingOnFailure(Task task, Runnable opening) {
        try {
            opening.run();
        } catch (Throwable failure) {
            failed.remove(task);
            closeQuietly(task, failure);
            throw failure;
        }
    }

    /**
     * Stops running the task and closes it on the loop's thread, while other tasks continue. If called on the loop's own
     * thread, it waits until the task is closed, unless a callback of that task calls it: then the task ends its turn first.
     *
     * @param task task that was begun or added
     * @return a future that completes when the task is closed
     */
    public CompletableFuture<Void> remove(Task task) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        boolean isWaiting = (isManual || isCurrent()) && !task.isInTurn();
        command(() -> {
                    begun.remove(task);
                    tasks.remove(task);
                    failed.remove(task);
                    areTasksChanged = true;
                    if (isWaiting) {
                        closings.closeNow(task, closed);
                    } else {
                        closings.begin(task, closed);
                    }
                })
                .exceptionally(failure -> {
                    closed.completeExceptionally(failure);
                    return null;
                });
        return closed;
    }

    /**
     * Calls a function once on the loop's thread, between two sweeps.
     *
     * @param <T> type of the result
     * @param question function, which must not block
     * @return a future that completes with the result
     */
    public <T> CompletableFuture<T> ask(Supplier<T> question) {
        AtomicReference<T> answer = new AtomicReference<>();
        return command(() -> answer.set(question.get())).thenApply(asked -> answer.get());
    }

    /** Starts to measure its sweeps. Idempotent; on the loop's thread or before it is started. */
    void measureSweeps() {
        times = times == null ? new SweepTimes(environment) : times;
    }

    /** Returns its load; null until its sweeps are measured. */
    LoopStatus status() {
        Thread running = thread;
        return times == null || running == null ? null : times.status(running.getName());
    }

    /**
     * Wakes the loop because a task has new messages: ends its pause, but not the wait of a latency budget. Costs a fence while
     * the loop is awake. Thread-safe.
     */
    public void wake() {
        VarHandle.fullFence();
        if (parked && PARKED.compareAndSet(this, true, false)) {
            environment.unpark(thread);
            connections.wake();
        }
    }

    /** Begins the next sweep at once, even if a latency budget requires a wait. Thread-safe. */
    public void sweepSoon() {
        isWakeRequested = true;
        rouse();
    }

    /**
     * Begins the next sweep without a pause, because a task has left inputs that it could not take in its turn. A loop with
     * a latency budget would otherwise rest for half of its time while they wait. On the loop's thread.
     */
    public void sweepAgain() {
        isWorkLeft = true;
    }

    /** Ends a pause of either kind. */
    private void rouse() {
        Thread running = thread;
        if (running != null) { // otherwise it has not begun, and checks for commands before it pauses
            environment.unpark(running);
        }
        wake();
    }

    /**
     * {@return whether the loop closes a task now, and is not in one of its callbacks} That takes the time that transports
     * need.
     */
    public boolean isReleasing() {
        return closings.isReleasing();
    }

    /**
     * Runs a callback of a task that is being closed, so that {@link #isReleasing} is false meanwhile. On the loop's
     * thread.
     *
     * @param callback any code; its exception is rethrown
     */
    public void call(Runnable callback) {
        closings.call(callback);
    }

    /** {@return whether the calling thread is this loop's} */
    public boolean isCurrent() {
        return environment.thread() == thread;
    }

    /** {@return whether the calling thread is in a turn of this loop, which continues only when the caller has returned} */
    public boolean isInTurn() {
        return isCurrent() && (!isManual || isSweeping);
    }

    /** {@return whether the caller of {@link Loops#turn} is this loop's thread} */
    public boolean isManual() {
        return isManual;
    }

    /**
     * Runs one sweep and the following pause on the calling thread, which is the loop's thread from the first call on.
     *
     * @return false after {@link #stop}, when everything is closed
     */
    boolean run() {
        if (thread == null) {
            thread = environment.thread();
            nextSweepNanos = environment.nanoTime();
            sweptNanos = nextSweepNanos;
        }
        if (isStopping) {
            runCommands();
            closeAll();
            return false;
        }
        int work = times == null ? sweep() : measuredSweep();
        try {
            pauseAfter(work);
        } catch (Throwable failure) { // of an idle strategy, or of a connection that waits
            List.copyOf(tasks).forEach(task -> fail(task, failure));
            environment.park(REST_NANOS); // which may be the only pause from now on
        }
        return true;
    }

    /** Runs one sweep on the calling thread, for {@link Loops#manual}. */
    int turn() {
        thread = environment.thread();
        boolean wasSweeping = isSweeping; // a close in a callback also turns the loop
        isSweeping = true;
        try {
            return times == null ? sweep() : measuredSweep();
        } finally {
            isSweeping = wasSweeping;
            if (!wasSweeping && isStopping) {
                closeAll();
            } else if (!wasSweeping && !closings.isEmpty()) {
                closings.finish(); // tasks that were closed by their own callbacks
            }
        }
    }

    /**
     * Records that a close waits for the loop no longer, because a callback holds it up. Thread-safe.
     *
     * @param question question of that close, which the loop answers when the callback has returned
     */
    public void leave(CompletableFuture<?> question) {
        unanswered = question;
    }

    /** Returns whether a callback still holds the loop up for which a close has stopped waiting. Thread-safe. */
    boolean isLeft() {
        CompletableFuture<?> question = unanswered;
        return question != null && !question.isDone();
    }

    /** Ends {@link #run} after the sweep in progress. Thread-safe. */
    void stop() {
        isStopping = true;
        PARKED.setVolatile(this, true);
        rouse();
    }

    /** Closes a manual loop; if a callback calls this, at the end of the turn in progress. */
    void closeManual() {
        if (isSweeping) {
            isStopping = true;
        } else {
            closeAll();
        }
    }

    private void closeAll() {
        for (Task task : List.copyOf(tasks)) {
            fail(task, new IllegalStateException("the loops were closed before the chain"));
            closeQuietly(task, null);
        }
        closings.finish();
        begun.forEach(task -> closeQuietly(task, null));
        begun.clear();
        tasks.clear();
        areTasksChanged = true;
    }

    /** Ends the turns of a task, which remains open until it is removed. */
    void fail(Task task, Throwable failure) {
        if (!failed.contains(task)) {
            failed.add(task);
            areTasksChanged = true;
            task.failed(failure);
        }
    }

    private int measuredSweep() {
        times.begin();
        int work = sweep();
        times.end(work, !isManual && !isVirtual && !pacing.isOn());
        return work;
    }

    private int sweep() {
        if (!commands.isEmpty()) {
            runCommands();
        }
        int work = connections.doWork(this);
        if (!closings.isEmpty()) {
            work += closings.doWork();
        }
        if (areTasksChanged) {
            changeTasks();
        }
        for (Task task : swept) {
            try {
                work += task.doWork();
            } catch (Throwable failure) {
                if (tasks.contains(task)) { // otherwise it was closed by a callback
                    fail(task, failure);
                }
            }
        }
        return work;
    }

    private void pauseAfter(int work) {
        if (pacing.isOn()) {
            waitForNextSweep(work);
        } else if (work > 0) {
            idleSweeps = 0;
            wasDue = false;
            parked = false;
            if (swept.length >= MANY_TASKS) {
                workedNanos = environment.nanoTime();
            }
            if (isVirtual) {
                environment.yield();
            }
        } else {
            pauseForNews();
        }
    }

    private void pauseForNews() {
        if (idleSweeps < Integer.MAX_VALUE) {
            idleSweeps++;
        }
        if (wasWaitLong || swept.length >= MANY_TASKS) {
            boundSpin();
        }
        long pauseNanos = idle.pauseNanos(idleSweeps);
        if (pauseNanos == Idle.YIELD || (pauseNanos == Idle.SPIN && isVirtual)) {
            environment.yield();
        } else if (pauseNanos == Idle.SPIN) {
            environment.spin();
        } else if (!parked) {
            parked = true;
            VarHandle.fullFence(); // then sweep once more: see the class comment
        } else {
            boolean isWoken = isWoken();
            long waitNanos = Math.min(isWoken ? REST_NANOS : pauseNanos, earliestDeadlineNanos());
            boolean isDue = waitNanos <= 0;
            if (isDue && wasDue) {
                waitNanos = Math.min(Math.min(pauseNanos, OVERDUE_NANOS), nextDeadlineNanos);
            }
            wasDue = isDue;
            if (waitNanos > 0) {
                clearInterrupt();
                long begunNanos = environment.nanoTime();
                connections.await(waitNanos);
                wasWaitLong = isWoken && environment.nanoTime() - begunNanos >= LONG_WAIT_NANOS;
            }
        }
    }

    /** Ends a spin that would end by itself after more sweeps, once it has lasted long enough. */
    private void boundSpin() {
        if (idleSweeps > spins()) {
            return;
        }
        boolean isOver = wasWaitLong && idleSweeps > SHORT_SPIN;
        if (isOver || swept.length >= MANY_TASKS && environment.nanoTime() - workedNanos > MOST_SPUN_NANOS) {
            idleSweeps = spins + 1;
        }
    }

    /** Returns the number of idle sweeps with which a spin of its strategy ends; 0 for one that does not end. */
    private int spins() {
        if (spins < 0) {
            int first = 1;
            while (first <= LONGEST_SPIN && idle.pauseNanos(first) == Idle.SPIN) {
                first++;
            }
            spins = first > LONGEST_SPIN ? 0 : first - 1;
        }
        return spins;
    }

    /** Clears the interrupt of its thread, with which it could not pause. */
    private void clearInterrupt() {
        if (Thread.interrupted() && !wasInterrupted) {
            wasInterrupted = true;
            System.getLogger("dev.baton")
                    .log(
                            Level.WARNING,
                            "loop " + Thread.currentThread().getName() + " ignores an interrupt; a service or a library"
                                    + " has interrupted its thread, which only Loops.close() ends");
        }
    }

    /** Returns whether it is woken for all work of its tasks before their deadlines. */
    private boolean isWoken() {
        boolean restsInConnection = !isVirtual && connections.awaitNews(); // which may hold a virtual thread's carrier
        if (!restsInConnection && connections.needTurns()) {
            return false;
        }
        for (Task task : swept) {
            if (!task.isWoken()) {
                return false;
            }
        }
        return true;
    }

    private void waitForNextSweep(int work) {
        long now = environment.nanoTime();
        nextSweepNanos += pacing.periodNanos(now - sweptNanos, work);
        sweptNanos = now;
        if (isWorkLeft || nextSweepNanos - now <= 0) { // in the latter case the sweep took longer than its period
            isWorkLeft = false;
            nextSweepNanos = now; // sweep at once, do not catch up
            return;
        }
        for (long left = nextSweepNanos - now; left > 0; left = nextSweepNanos - environment.nanoTime()) {
            if (isWakeRequested || isStopping || !commands.isEmpty()) {
                nextSweepNanos = environment.nanoTime(); // the period begins anew with the requested sweep
                break;
            }
            clearInterrupt();
            environment.park(left);
        }
        sweptNanos = environment.nanoTime();
        isWakeRequested = false;
    }

    /** Returns the nanoseconds until the next deadline of a task; {@link Long#MAX_VALUE} if there is none. */
    long earliestDeadlineNanos() {
        long now = environment.nanoTime();
        long earliest = closings.isEmpty() ? Long.MAX_VALUE : CLOSING_NANOS;
        nextDeadlineNanos = earliest;
        if (areTasksChanged) {
            changeTasks();
        }
        for (Task task : swept) {
            try {
                long deadline = task.deadlineNanos();
                if (deadline != Long.MAX_VALUE) {
                    long left = deadline - now;
                    earliest = Math.min(earliest, left);
                    nextDeadlineNanos = left > 0 ? Math.min(nextDeadlineNanos, left) : nextDeadlineNanos;
                }
            } catch (Throwable failure) {
                fail(task, failure);
            }
        }
        return earliest;
    }

    /**
     * Updates the array of tasks once for all removals before a sweep; otherwise the close of 30,000 chains would take
     * quadratic time.
     */
    private void changeTasks() {
        areTasksChanged = false;
        swept = tasks.stream().filter(task -> !failed.contains(task)).toArray(Task[]::new);
        sweeps = 1;
        roundTrips = 0;
        for (Task task : swept) {
            count(task);
        }
        pacing.bound(budgetNanos, sweeps, roundTrips);
    }

    private void count(Task task) {
        sweeps = Math.max(sweeps, task.sweepsPerMessage());
        roundTrips += task.sweepsPerMessage() > 1 ? task.sweepsPerMessage() : 0;
    }

    /** Runs the action on the loop's thread, unless it is cancelled before. */
    private CompletableFuture<Void> command(Runnable action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Runnable command = () -> {
            if (done.isDone()) {
                return; // cancelled before its turn came
            }
            try {
                action.run();
            } catch (Throwable failure) {
                done.completeExceptionally(failure);
                return;
            }
            done.complete(null);
        };
        if (isManual || isCurrent()) {
            command.run();
        } else {
            commands.add(command);
            if (isStopping && commands.remove(command)) {
                // the loop may have drained its commands for the last time; it runs those that it has taken
                done.completeExceptionally(new IllegalStateException("the loops are closed"));
            }
            rouse();
        }
        return done;
    }

    private void runCommands() {
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
    }

    private void closeQuietly(Task task, Throwable because) {
        try {
            task.close();
        } catch (Throwable atClose) { // other tasks have to be closed as well
            suppress(because, atClose);
        }
        try {
            connections.release(task);
        } catch (Throwable atClose) {
            suppress(because, atClose);
        }
    }

    private static void suppress(Throwable because, Throwable atClose) {
        if (because != null && because != atClose) {
            because.addSuppressed(atClose);
        }
    }
}
