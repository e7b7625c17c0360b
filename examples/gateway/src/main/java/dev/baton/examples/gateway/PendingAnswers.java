package dev.baton.examples.gateway;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Requests that wait for their answer, each under a unique number; their number is limited. Thread-safe. */
final class PendingAnswers {
    private final Semaphore room;
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentMap<Long, CompletableFuture<byte[]>> waiting = new ConcurrentHashMap<>();

    PendingAnswers(int most) {
        room = new Semaphore(most);
    }

    /** Returns a number for a request, which {@link #end} frees; empty when the limit is reached. */
    OptionalLong begin() {
        if (!room.tryAcquire()) {
            return OptionalLong.empty();
        }
        long number = numbers.incrementAndGet();
        waiting.put(number, new CompletableFuture<>());
        return OptionalLong.of(number);
    }

    /** Stores the answer of a request; one without a waiting request is dropped. */
    void answered(long number, byte[] answer) {
        CompletableFuture<byte[]> request = waiting.get(number);
        if (request != null) {
            request.complete(answer);
        }
    }

    /** Waits for an answer. @return null when none came in time */
    byte[] await(long number, long limitNanos) throws InterruptedException {
        try {
            return waiting.get(number).get(limitNanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return null;
        } catch (ExecutionException unreachable) {
            throw new IllegalStateException(unreachable); // answers are never failures
        }
    }

    /** Removes a request and frees its place. To be called once for each {@link #begin}. */
    void end(long number) {
        waiting.remove(number);
        room.release();
    }

    /** Requests that wait now. */
    int count() {
        return waiting.size();
    }
}
