package dev.baton.engine.loop;

import dev.baton.run.Environment;
import dev.baton.run.Idle;
import dev.baton.run.Limits;
import dev.baton.run.Loops;
import dev.baton.run.Loops.LoopStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * The implementation of {@link Loops}, with what only the engine calls: {@link #nextLoop}, {@link #splitsChains} and {@link
 * #retire}. Thread-safe, except for {@link #turn}.
 */
public final class LoopPool implements Loops {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
    private static final long LEAST_BUDGET_NANOS = 100_000;

    private enum Kind {
        COOPERATIVE,
        THREAD_PER_SERVICE,
        VIRTUAL,
        MANUAL
    }

    /**
     * {@return the pool behind an application's loops}
     *
     * @throws IllegalArgumentException for another implementation
     */
    public static LoopPool of(Loops loops) {
        if (loops instanceof LoopPool pool) {
            return pool;
        }
        throw new IllegalArgumentException(
                "loops of " + loops + "; only those that the methods of Loops return are supported");
    }

    private record Running(int number, Loop loop, Thread thread) {}

    private final Kind kind;
    private final int count;
    private final List<Running> running = new ArrayList<>();
    private final BitSet numbers = new BitSet(); // of the running loops
    private final String text;
    private Environment environment = Environment.system();
    private Idle idle = Idle.backoff();
    private long budgetNanos; // 0 for no budget
    private ThreadFactory threads; // null for the default threads
    private int handedOut;
    private boolean isMeasured; // whether loops measure their sweeps
    private boolean isClosed;

    private LoopPool(Kind kind, int count, String text) {
        this.kind = kind;
        this.count = count;
        this.text = text;
    }

    /** Returns the loops of {@link Loops#cooperative}. */
    public static LoopPool cooperative(int loops) {
        if (loops < 1 || loops > 1024) {
            throw new IllegalArgumentException(loops + " loops; from 1 to 1024 are allowed");
        }
        return new LoopPool(Kind.COOPERATIVE, loops, "cooperative:" + loops);
    }

    /** Returns the loops of {@link Loops#threadPerService}. */
    public static LoopPool threadPerService() {
        return new LoopPool(Kind.THREAD_PER_SERVICE, 0, "per-service");
    }

    /** Returns the loops of {@link Loops#virtual}. */
    public static LoopPool virtual() {
        VirtualThreads.factory(); // throws before JDK 21
        return new LoopPool(Kind.VIRTUAL, 0, "virtual");
    }

    /** Returns the loops of {@link Loops#manual}. */
    public static LoopPool manual() {
        return new LoopPool(Kind.MANUAL, 1, "manual");
    }

    @Override
    public synchronized LoopPool idle(Idle strategy) {
        checkNotStarted();
        idle = strategy;
        return this;
    }

    @Override
    public synchronized LoopPool latencyBudget(Duration latency) {
        checkNotStarted();
        long nanos = Limits.nanos("latency budget", latency);
        if (nanos < LEAST_BUDGET_NANOS) {
            throw new IllegalArgumentException("a budget of " + latency + "; 100 us or more is allowed");
        }
        budgetNanos = nanos;
        return this;
    }

    @Override
    public synchronized LoopPool threads(ThreadFactory factory) {
        checkNotStarted();
        if (kind == Kind.MANUAL) {
            throw new IllegalStateException("manual loops have no threads; their caller turns them");
        }
        threads = Objects.requireNonNull(factory, "thread factory");
        return this;
    }

    @Override
    public synchronized LoopPool in(Environment world) {
        checkNotStarted();
        environment = world;
        return this;
    }

    @Override
    public synchronized Environment environment() {
        return environment;
    }

    /** {@return whether the calling thread is in a turn of one of these loops} */
    public synchronized boolean isInTurn() {
        return running.stream().anyMatch(each -> each.loop().isInTurn());
    }

    /** {@return whether every service has its own loop} */
    public boolean splitsChains() {
        return kind == Kind.THREAD_PER_SERVICE || kind == Kind.VIRTUAL;
    }

    @Override
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
        int number = numbers.nextClearBit(1); // the loops before it may have been retired
        Thread thread = null;
        if (kind != Kind.MANUAL) {
            thread = start("baton-loop-" + number, loop);
        }
        running.add(new Running(number, loop, thread));
        numbers.set(number);
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

    @Override
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

    @Override
    public long nanosToDeadline() {
        Loop loop = manualLoop();
        return loop == null ? Long.MAX_VALUE : loop.earliestDeadlineNanos();
    }

    @Override
    public synchronized LoopPool measureSweeps() {
        isMeasured = true;
        running.forEach(each -> each.loop().ask(() -> {
            each.loop().measureSweeps();
            return each;
        }));
        return this;
    }

    @Override
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
            retired.forEach(each -> numbers.clear(each.number()));
        }
        retired.forEach(each -> each.loop().stop());
        retired.forEach(each -> join(each.thread(), deadlineNanos - environment.nanoTime()));
    }

    @Override
    public void close() {
        List<Running> stopping;
        synchronized (this) {
            isClosed = true;
            stopping = List.copyOf(running);
            running.clear();
            numbers.clear();
        }
        for (Running each : stopping) {
            each.loop().stop();
        }
        long deadline = environment.nanoTime() + CLOSE_LIMIT.toNanos();
        for (Running each : stopping) {
            if (each.thread() == null) {
                each.loop().closeManual();
            } else if (!each.loop().isLeft()) { // a close has waited for its callback already
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
