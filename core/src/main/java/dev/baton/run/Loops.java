package dev.baton.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * The loops that run chains. One {@code Loops} serves any number of chains, over any transports.
 *
 * <p>Call {@link #idle}, {@link #latencyBudget} and {@link #threads} before the first chain starts. Threads are daemons named
 * {@code baton-loop-N}, unless a factory creates them. They start with their first task, and {@link #close} ends them. Nothing
 * else in Baton's core starts a thread. Thread-safe, except for {@link #turn}.
 */
public final class Loops implements AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
    private static final long LEAST_BUDGET_NANOS = 100_000;

    private enum Kind {
        COOPERATIVE,
        THREAD_PER_SERVICE,
        VIRTUAL,
        MANUAL
    }

    private record Running(Loop loop, Thread thread) {}

    private final Kind kind;
    private final int count;
    private final List<Running> running = new ArrayList<>();
    private final String text;
    private Environment environment = Environment.system();
    private Idle idle = Idle.backoff();
    private long budgetNanos; // 0 for no budget
    private ThreadFactory threads; // null for the default threads
    private int handedOut;
    private boolean isMeasured; // whether loops measure their sweeps
    private boolean isClosed;

    private Loops(Kind kind, int count, String text) {
        this.kind = kind;
        this.count = count;
        this.text = text;
    }

    /**
     * {@return a fixed number of loops; each instance of a chain runs on one of them, so that one sweep carries a message
     * through all its hops} Instances are assigned round-robin.
     *
     * @param loops number of threads, 1 to 1024
     */
    public static Loops cooperative(int loops) {
        if (loops < 1 || loops > 1024) {
            throw new IllegalArgumentException(loops + " loops; from 1 to 1024 are allowed");
        }
        return new Loops(Kind.COOPERATIVE, loops, "cooperative:" + loops);
    }

    /**
     * {@return loops with a thread for every service, one for a source, and one for the outlet, as in most hand-written
     * programs}
     */
    public static Loops threadPerService() {
        return new Loops(Kind.THREAD_PER_SERVICE, 0, "per-service");
    }

    /**
     * {@return loops with a virtual thread for every service}
     *
     * @throws UnsupportedOperationException before JDK 21
     */
    public static Loops virtual() {
        VirtualThreads.factory(); // throws before JDK 21
        return new Loops(Kind.VIRTUAL, 0, "virtual");
    }

    /**
     * {@return a loop without a thread, which the caller drives with {@link #turn}, for tests and for programs with their own
     * loop}
     */
    public static Loops manual() {
        return new Loops(Kind.MANUAL, 1, "manual");
    }

    /**
     * Sets what a loop does after a sweep that found no work; {@link Idle#backoff} by default.
     *
     * @param strategy shared by all loops
     * @return this
     * @throws IllegalStateException after the first chain was started
     */
    public synchronized Loops idle(Idle strategy) {
        checkNotStarted();
        idle = strategy;
        return this;
    }

    /**
     * Sets a latency budget, of which the loops use as much as the load requires: a loop that is busy for more than half of its
     * time sweeps less often, so that more messages share the cost of each sweep. It sweeps at least once per third of the
     * budget; the median latency is then about a sixth of the budget. Without a budget loops minimise latency.
     *
     * @param latency time that a message may take from its inlet to its outlet while no loop is overloaded; 100 us or more,
     *     limited to 73 years
     * @return this
     * @throws IllegalStateException after the first chain was started
     */
    public synchronized Loops latencyBudget(Duration latency) {
        checkNotStarted();
        long nanos = Limits.nanos("latency budget", latency);
        if (nanos < LEAST_BUDGET_NANOS) {
            throw new IllegalArgumentException("a budget of " + latency + "; 100 us or more is allowed");
        }
        budgetNanos = nanos;
        return this;
    }

    /**
     * Sets the factory for the threads of the loops, so that a program can name them, pin them to cores or set their
     * priority. It is called by the thread that starts a chain, once for each loop, and decides whether the threads are
     * daemons. For {@link #virtual} it has to create virtual threads.
     *
     * <p>If the factory throws, returns null or returns a thread that was started before, the start of the chain fails with
     * an {@link IllegalStateException}. In this case everything of the chain is closed, and a later start calls the factory
     * again.
     *
     * @param factory factory, called with the body of each loop
     * @return this
     * @throws IllegalStateException after the first chain was started, or for {@link #manual} loops, which have no thread
     */
    public synchronized Loops threads(ThreadFactory factory) {
        checkNotStarted();
        if (kind == Kind.MANUAL) {
            throw new IllegalStateException("manual loops have no threads; their caller turns them");
        }
        threads = Objects.requireNonNull(factory, "thread factory");
        return this;
    }

    /**
     * Sets the environment of the loops, such as that of a simulator; by default it is that of this JVM.
     *
     * @param world environment with its own clocks and threads
     * @return this
     * @throws IllegalStateException after the first chain was started
     */
    public synchronized Loops in(Environment world) {
        checkNotStarted();
        environment = world;
        return this;
    }

    /** {@return the environment of the loops, from which chains take their clocks and waits} */
    public synchronized Environment environment() {
        return environment;
    }

    /** {@return whether every service has its own loop} */
    public boolean splitsChains() {
        return kind == Kind.THREAD_PER_SERVICE || kind == Kind.VIRTUAL;
    }

    /** {@return whether the caller drives the loop with {@link #turn}} */
    public boolean isManual() {
        return kind == Kind.MANUAL;
    }

    /**
     * {@return the loop for the next task; it is started if it does not run yet}
     *
     * @throws IllegalStateException after the close
     */
    public synchronized Loop nextLoop() {
        if (isClosed) {
            throw new IllegalStateException("the loops are closed");
        }
        if (!splitsChains() && running.size() == count) {
            return running.get(handedOut++ % count).loop();
        }
        Loop loop = new Loop(environment, idle, budgetNanos, kind == Kind.VIRTUAL, kind == Kind.MANUAL);
        if (isMeasured) {
            loop.measureSweeps();
        }
        Thread thread = null;
        if (kind != Kind.MANUAL) {
            thread = start("baton-loop-" + (running.size() + 1), loop);
        }
        running.add(new Running(loop, thread));
        handedOut++;
        return loop;
    }

    private Thread start(String name, Loop loop) {
        ThreadFactory own = kind == Kind.VIRTUAL ? virtualThread(name) : daemon(name);
        return environment.start(name, threads == null ? own : body -> madeBy(threads, name, body), loop::run);
    }

    private static Thread madeBy(ThreadFactory factory, String name, Runnable body) {
        Thread thread;
        try {
            thread = factory.newThread(body);
        } catch (RuntimeException thrown) {
            throw new IllegalStateException(noThread(factory, name) + "threw " + thrown, thrown);
        }
        if (thread == null) {
            throw new IllegalStateException(noThread(factory, name) + "returned null");
        }
        if (thread.getState() != Thread.State.NEW) {
            throw new IllegalStateException(
                    noThread(factory, name) + "returned one that was started before: " + thread);
        }
        return thread;
    }

    private static String noThread(ThreadFactory factory, String name) {
        return "no thread for " + name + ": the thread factory " + factory + " ";
    }

    private static ThreadFactory daemon(String name) {
        return body -> {
            Thread thread = new Thread(body, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private static ThreadFactory virtualThread(String name) {
        return body -> {
            Thread thread = VirtualThreads.factory().newThread(body);
            thread.setName(name);
            return thread;
        };
    }

    /**
     * Runs one sweep of a {@link #manual} loop on the calling thread, which has to be the thread that starts and closes its
     * chains.
     *
     * @return work count; 0 if there was nothing to do
     */
    public int turn() {
        Loop loop = manualLoop();
        return loop == null ? 0 : loop.turn();
    }

    /** Returns the loop that the caller turns; null before the first chain starts. */
    private Loop manualLoop() {
        if (kind != Kind.MANUAL) {
            throw new IllegalStateException("only manual loops are turned by their caller, these are " + text);
        }
        synchronized (this) {
            return running.isEmpty() ? null : running.get(0).loop();
        }
    }

    /**
     * {@return the nanoseconds until a {@link #manual} loop next has something to do without a new message: a deadline of a
     * service or source, or a retry} 0 or less if it is due; {@link Long#MAX_VALUE} if there is none. For a caller that sleeps
     * between turns. Confined to the thread of {@link #turn}.
     */
    public long nanosToDeadline() {
        Loop loop = manualLoop();
        return loop == null ? Long.MAX_VALUE : loop.earliestDeadlineNanos();
    }

    /**
     * Makes all loops, including those that are started later, measure their sweeps for {@link #status}. This costs one reading
     * of the clock for up to 32 short sweeps of a busy loop, and two for a sweep after a pause. May be called at any time.
     * Idempotent.
     *
     * @return this
     */
    public synchronized Loops measureSweeps() {
        isMeasured = true;
        running.forEach(each -> each.loop().ask(() -> {
            each.loop().measureSweeps();
            return each;
        }));
        return this;
    }

    /**
     * {@return the load of each loop, in the order of their start, without loops whose sweeps are not measured yet}
     */
    public synchronized List<LoopStatus> status() {
        return running.stream()
                .map(each -> each.loop().status())
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Ends loops that were used for a single service; other loops remain. Waits for their threads until the deadline. A
     * loop that is blocked in a callback ends as soon as the callback returns.
     *
     * @param ended loops from {@link #nextLoop}
     * @param deadlineNanos deadline as {@link Environment#nanoTime}
     */
    public void retire(Collection<Loop> ended, long deadlineNanos) {
        if (!splitsChains()) {
            return;
        }
        List<Running> retired;
        synchronized (this) {
            retired =
                    running.stream().filter(each -> ended.contains(each.loop())).toList();
            running.removeAll(retired);
        }
        retired.forEach(each -> each.loop().stop());
        retired.forEach(each -> join(each.thread(), deadlineNanos - environment.nanoTime()));
    }

    /** Ends all threads within ten seconds; chains that still run on them fail. Idempotent. */
    @Override
    public void close() {
        List<Running> stopping;
        synchronized (this) {
            isClosed = true;
            stopping = List.copyOf(running);
            running.clear();
        }
        for (Running each : stopping) {
            each.loop().stop();
        }
        long deadline = environment.nanoTime() + CLOSE_LIMIT.toNanos();
        for (Running each : stopping) {
            if (each.thread() == null) {
                each.loop().closeAll();
            } else {
                join(each.thread(), deadline - environment.nanoTime());
            }
        }
    }

    @Override
    public String toString() {
        return text;
    }

    private void checkNotStarted() {
        if (handedOut > 0) {
            throw new IllegalStateException(
                    "idle, latencyBudget and threads are settled before the first chain starts");
        }
    }

    private void join(Thread thread, long nanos) {
        if (thread != environment.thread()) { // otherwise closed from its own callback: it ends after this sweep
            environment.join(thread, nanos);
        }
    }
}
