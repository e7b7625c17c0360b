package dev.baton.run;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The clocks, waits and threads that core uses. Core reads clocks, parks and starts threads only through this interface, so
 * that a simulator can replace it and decide when each thread continues.
 *
 * <p>{@link #system} is the environment of the JVM and the default of {@link Loops}. Thread-safe.
 */
public interface Environment {
    /** The body of a thread: takes one bounded turn after another until there are no more. */
    @FunctionalInterface
    interface Worker {
        /**
         * Takes one turn; may park at its end.
         *
         * @return whether there are more turns to take
         */
        boolean turn();
    }

    /** {@return the clocks and threads of this JVM} */
    static Environment system() {
        return SystemEnvironment.INSTANCE;
    }

    /**
     * {@return the nanoseconds of a monotonic clock, comparable within one boot of one host: {@link System#nanoTime}}
     */
    long nanoTime();

    /** {@return the nanoseconds since 1970-01-01T00:00Z by the wall clock, which may step} */
    long wallNanos();

    /** {@return the calling thread, as used by {@link #start} and {@link #unpark}} */
    Thread thread();

    /**
     * Suspends the calling thread for a time. May return early: when unparked, when interrupted, or spuriously.
     *
     * @param nanos maximum time
     */
    void park(long nanos);

    /**
     * Ends the thread's {@link #park}, or its next one.
     *
     * @param thread thread, which may be about to park
     */
    void unpark(Thread thread);

    /** Offers the core to other threads. */
    void yield();

    /** Hints to the processor that the caller spins. */
    void spin();

    /**
     * Starts a thread that takes the worker's turns.
     *
     * @param name name of the loop, for an environment without threads of this JVM
     * @param threads creates the thread, which is not started yet
     * @param worker worker, called only by that thread
     * @return the running thread
     */
    Thread start(String name, ThreadFactory threads, Worker worker);

    /**
     * {@return whether the calling thread takes the turns of a worker that was started here, so that its waits hold up everything
     * that the worker runs} The default is false.
     */
    default boolean isWorker() {
        return false;
    }

    /**
     * Waits for the end of a thread that was started here.
     *
     * @param thread thread from {@link #start}
     * @param nanos maximum time to wait
     * @return whether the thread has ended
     */
    boolean join(Thread thread, long nanos);

    /**
     * {@return a future that completes after a time, on a thread that dependent stages must not block; cancelling it ends the
     * timer}
     *
     * @param delay time, more than zero
     */
    default CompletableFuture<Void> after(Duration delay) {
        return new CompletableFuture<Void>()
                .completeOnTimeout(null, Limits.nanos("delay", delay), TimeUnit.NANOSECONDS);
    }

    /**
     * {@return what runs the calls of a service that may block: {@link dev.baton.Concurrency}} The default runs each call at
     * once on the calling thread, for environments that have one thread. An {@link java.util.concurrent.ExecutorService} is
     * shut down when the service is closed, and then interrupts its calls.
     *
     * @param name name of the service
     */
    default Executor workers(String name) {
        return Runnable::run;
    }

    /**
     * Waits for a future.
     *
     * @param <T> type of the result
     * @param answer future, which another thread completes
     * @param limitNanos maximum time to wait
     * @return the value of the future
     * @throws InterruptedException if the calling thread is interrupted meanwhile; its flag is cleared
     * @throws ExecutionException if the future was completed exceptionally
     * @throws TimeoutException if the future is not completed within the limit
     */
    default <T> T await(CompletableFuture<T> answer, long limitNanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        long start = nanoTime();
        Thread waiting = thread();
        CompletableFuture<?> waking = answer.whenComplete((value, failure) -> unpark(waiting));
        try {
            while (!answer.isDone()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long left = limitNanos - (nanoTime() - start);
                if (left <= 0) {
                    throw new TimeoutException("no answer within " + Duration.ofNanos(limitNanos));
                }
                park(left);
            }
            return answer.get();
        } finally {
            waking.cancel(false); // a later answer wakes no thread
        }
    }
}
