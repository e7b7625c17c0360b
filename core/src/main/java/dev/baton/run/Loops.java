package dev.baton.run;

import dev.baton.engine.loop.LoopPool;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/**
 * The loops that run chains. One {@code Loops} serves any number of chains, over any transports.
 *
 * <p>Call {@link #idle}, {@link #latencyBudget} and {@link #threads} before the first chain starts. Threads are daemons named
 * {@code baton-loop-N}, unless a factory creates them. They start with their first task, and {@link #close} ends them. Core's
 * only other threads restart chains, make concurrent calls and open topics ({@link Environment}). Applications do not implement
 * it. Thread-safe, except for {@link #turn}.
 */
public interface Loops extends AutoCloseable {
    /**
     * {@return a fixed number of loops; each instance of a chain runs on one of them, so that one sweep carries a message
     * through all its hops} Instances are assigned round-robin.
     *
     * @param loops number of threads, 1 to 1024
     */
    static Loops cooperative(int loops) {
        return LoopPool.cooperative(loops);
    }

    /**
     * {@return loops with a thread for every service, one for a source, and one for the sink, as in most hand-written
     * programs} A shared inlet and requests also have a thread of their own, and so does the inlet of one thread if the transport
     * lacks {@link dev.baton.spi.Guarantee#IMMEDIATE}, as Kafka and the Aeron Archive do.
     */
    static Loops threadPerService() {
        return LoopPool.threadPerService();
    }

    /**
     * {@return loops with a virtual thread for every service}
     *
     * @throws UnsupportedOperationException before JDK 21
     */
    static Loops virtual() {
        return LoopPool.virtual();
    }

    /**
     * {@return a loop without a thread, which the caller drives with {@link #turn}, for tests and for programs with their own
     * loop}
     */
    static Loops manual() {
        return LoopPool.manual();
    }

    /**
     * Sets what a loop does after a sweep that found no work; {@link Idle#backoff} by default.
     *
     * @param strategy shared by all loops
     * @return this
     * @throws IllegalStateException after the first chain was started
     */
    Loops idle(Idle strategy);

    /**
     * Sets a latency budget, of which the loops use as much as the load requires: a loop that is busy for more than half of its
     * time sweeps less often, so that more messages share the cost of each sweep. It sweeps at least once per third of the
     * budget; the median latency is then about a sixth of the budget. While a service leaves inputs after a full batch, the
     * loop does not rest. Without a budget loops minimise latency.
     *
     * @param latency time that a message may take from its inlet to its outlet while no loop is overloaded; 100 us or more,
     *     limited to 73 years
     * @return this
     * @throws IllegalStateException after the first chain was started
     */
    Loops latencyBudget(Duration latency);

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
    Loops threads(ThreadFactory factory);

    /**
     * Sets the environment of the loops, such as that of a simulator; by default it is that of this JVM.
     *
     * @param world environment with its own clocks and threads
     * @return this
     * @throws IllegalStateException after the first chain was started
     */
    Loops in(Environment world);

    /** {@return the environment of the loops, from which chains take their clocks and waits} */
    Environment environment();

    /** {@return whether the caller drives the loop with {@link #turn}} */
    boolean isManual();

    /**
     * Runs one sweep of a {@link #manual} loop on the calling thread, which has to be the thread that starts and closes its
     * chains.
     *
     * @return work count; 0 if there was nothing to do
     */
    int turn();

    /**
     * {@return the nanoseconds until a {@link #manual} loop next has something to do without a new message: a deadline of a
     * service or source, or a retry} 0 or less if it is due; {@link Long#MAX_VALUE} if there is none. For a caller that sleeps
     * between turns. Confined to the thread of {@link #turn}.
     */
    long nanosToDeadline();

    /**
     * Makes all loops, including those that are started later, measure their sweeps for {@link #status}. This costs one reading
     * of the clock for up to 32 short sweeps of a busy loop, and two for a sweep after a pause. May be called at any time.
     * Idempotent.
     *
     * @return this
     */
    Loops measureSweeps();

    /**
     * {@return the load of each loop, in the order of their start, without loops whose sweeps are not measured yet}
     */
    List<LoopStatus> status();

    /**
     * Ends all threads; chains that still run on them fail. Waits up to ten seconds, but not for a thread in a callback that the close of a
     * chain has waited for in vain: such a thread ends when the callback returns. Idempotent.
     */
    @Override
    void close();

    /**
     * The load of a loop. Times count from {@link Loops#measureSweeps}, or from the loop's start. Immutable, thread-safe.
     *
     * @param name name of its thread
     * @param busyNanos time in sweeps that found work
     * @param measuredNanos time that was measured; {@code busyNanos / measuredNanos} is the utilisation
     * @param longestSweepNanos upper bound of the longest sweep of the last {@code 30 s} to {@code 60 s}, including the current
     *     one. It is a bound because consecutive short sweeps are timed in groups
     */
    record LoopStatus(String name, long busyNanos, long measuredNanos, long longestSweepNanos) {}
}
