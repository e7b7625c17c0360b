package dev.baton.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * The threads that chains run on. One {@code Loops} serves any number of chains, over any transports.
 *
 * <p>{@link #idle}, {@link #latencyBudget} and {@link #threads} are settled before the first chain starts. Threads are daemons
 * named {@code baton-loop-N}, unless a factory makes them; started when they get their first task and ended by {@link #close}.
 * Nothing else in Baton's core starts a thread. Thread-safe, but for {@link #turn}.
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
    private long budgetNanos; // 0: none
    private ThreadFactory threads; // null: threads of its own
    private int handedOut;
    private boolean isMeasured; // whether loops measure their sweeps
    private boolean isClosed;

    private Loops(Kind kind, int count, String text) {
        this.kind = kind;
        this.count = count;
        this.text = text;
    }

    /**
     * {@return loops of a fixed number; a whole instance of a chain stays on one of them, so that one sweep carries a
     * message through all its hops} Instances are dealt out in turn.
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
     * {@return loops with a thread for every service, one for a source, and one for the outlet, as hand-written loops
     * usually have}
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
        VirtualThreads.factory(); // or throws
        return new Loops(Kind.VIRTUAL, 0, "virtual");
    }

    /**
     * {@return a loop without a thread: the caller turns the crank with {@link #turn}, for tests and for programs with
     * a loop of their own}
     */
    public static Loops manual() {
        return new Loops(Kind.MANUAL, 1, "manual");
    }

    /**
     * Sets what a loop does when a sweep found no work; {@link Idle#backoff} by default.
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
     * Gives the loops a latency budget, of which they spend as much as the load asks for: a loop that is busy for more than
     * half of its time sweeps less often, so that more messages share the cost of each sweep. It sweeps every third of the
     * budget at least; the median is a sixth of it then, approximately. Without a budget latency comes first.
     *
     * @param latency how long a message may take from its inlet to its outlet while no loop is overloaded; 100 us or more,
     *     of which 73 years at most count
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
     * Makes the threads of the loops, so that a program names them, pins them to cores or gives them a priority. Called by the
     * thread that starts a chain, once for each loop; the factory says whether its threads are daemons. For {@link #virtual}
     * it has to make virtual threads.
     *
     * <p>A factory that throws, returns null or returns a thread that was started before fails the start of the chain with an
     * {@link IllegalStateException}. Nothing of the chain is left then, and a later start asks the factory again.
     *
     * @param factory called with the body of each loop
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
     * Runs the loops in another world than this JVM's own: a simulator's.
     *
     * @param world with clocks and threads of its own
     * @return this
     * @throws IllegalStateException after the first chain was started
     */
    public synchronized Loops in(Environment world) {
        checkNotStarted();
        environment = world;
        return this;
    }

    /** {@return where its loops run; chains take their clocks and waits from there} */
    public synchronized Environment environment() {
        return environment;
    }

    /** {@return whether every service gets a loop of its own} */
    public boolean splitsChains() {
        return kind == Kind.THREAD_PER_SERVICE || kind == Kind.VIRTUAL;
    }

    /** {@return whether the caller turns them with {@link #turn}} */
    public boolean isManual() {
        return kind == Kind.MANUAL;
    }

    /**
     * {@return the loop that the next task belongs on, started when it does not run yet}
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
     * One sweep of a {@link #manual} loop on the calling thread, which has to be the one that starts and closes its
     * chains.
     *
     * @return work done, 0 when there was nothing to do
     */
    public int turn() {
        Loop loop = manualLoop();
        return loop == null ? 0 : loop.turn();
    }

    /** The loop that the caller turns; null before the first chain starts. */
    private Loop manualLoop() {
        if (kind != Kind.MANUAL) {
            throw new IllegalStateException("only manual loops are turned by their caller, these are " + text);
        }
        synchronized (this) {
            return running.isEmpty() ? null : running.get(0).loop();
        }
    }

    /**
     * {@return the nanoseconds until a {@link #manual} loop next has something to do that no message leads to: a
     * deadline of a service or source, or a retry} 0 or less when that is due, {@link Long#MAX_VALUE} when there is
     * none. For a caller that sleeps between turns; confined to its thread, as {@link #turn}.
     */
    public long nanosToDeadline() {
        Loop loop = manualLoop();
        return loop == null ? Long.MAX_VALUE : loop.earliestDeadlineNanos();
    }

    /**
     * Has all loops measure their sweeps from now on, those that are started later as well, for {@link #status}. It costs
     * readings of the clock: one for up to 32 short sweeps of a busy loop, two for a sweep behind a pause. Idempotent; at any time.
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
     * {@return how much each loop has to do, in the order of their start; nothing of those whose sweeps are not
     * measured yet}
     */
    public synchronized List<LoopStatus> status() {
        return running.stream()
                .map(each -> each.loop().status())
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Ends loops that were handed out for one service alone; the others stay. Waits for their threads until the deadline:
     * one that is held up by a callback ends as soon as that returns.
     *
     * @param ended loops from {@link #nextLoop}
     * @param deadlineNanos by {@link Environment#nanoTime}
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
        if (thread != environment.thread()) { // else closed from a callback of its own: it ends after this sweep
            environment.join(thread, nanos);
        }
    }
}
