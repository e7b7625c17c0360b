package dev.baton.run;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;

/**
 * Everything that core asks of the world around it: clocks, waiting and threads. Nothing in core reads a clock, parks or
 * starts a thread beside it, so that a simulator can take its place and decide when each of them goes on.
 *
 * <p>{@link #system} is the real one and the default of {@link Loops}. Thread-safe.
 */
public interface Environment {
    /** One bounded turn after another, until it says that it is done: the body of a thread. */
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
     * {@return the nanoseconds of a clock that never steps, comparable within one boot of one host: {@link
     * System#nanoTime}}
     */
    long nanoTime();

    /** {@return the nanoseconds since 1970-01-01T00:00Z by the wall clock, which may step} */
    long wallNanos();

    /** {@return the calling thread, as {@link #start} and {@link #unpark} know it} */
    Thread thread();

    /**
     * Suspends the calling thread for a time; returns early when unparked, interrupted, or for no reason.
     *
     * @param nanos at most
     */
    void park(long nanos);

    /**
     * Ends the thread's {@link #park}, or its next one.
     *
     * @param thread which may be about to park
     */
    void unpark(Thread thread);

    /** Offers the core to other threads. */
    void yield();

    /** Hints to the processor that the caller spins. */
    void spin();

    /**
     * Starts a thread that takes the worker's turns.
     *
     * @param name of the loop, for a world that has no threads of this JVM
     * @param threads makes the thread, which has not been started
     * @param worker called by that thread alone
     * @return the thread, which runs
     */
    Thread start(String name, ThreadFactory threads, Worker worker);

    /**
     * Waits for the end of a thread that was started here.
     *
     * @param thread from {@link #start}
     * @param nanos at most
     * @return whether it has ended
     */
    boolean join(Thread thread, long nanos);

    /**
     * Waits for an answer.
     *
     * @param <T> what is waited for
     * @param answer which another thread completes
     * @param limitNanos after which the wait ends
     * @return the value that it was completed with
     * @throws InterruptedException when the calling thread is interrupted meanwhile; its flag is cleared
     * @throws ExecutionException when it was completed with a failure
     * @throws TimeoutException when there is no answer within the limit
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
