package dev.baton.lab.engines;

import dev.baton.lab.engines.RingLibrary.HopEvent;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A queue of objects: the message itself goes from thread to thread.
 *
 * @param queue what both threads use
 * @param giving the same where a giver waits in it for room; null: it looks once
 * @param taking the same where a taker waits in it for a message; null: it looks once
 */
record ObjectHop(Queue<HopEvent> queue, BlockingQueue<HopEvent> giving, BlockingQueue<HopEvent> taking) implements Hop {
    /** A queue in which nobody waits. */
    static Hop polled(Queue<HopEvent> queue) {
        return new ObjectHop(queue, null, null);
    }

    /** A queue in which both wait, or that both poll. */
    static Hop of(BlockingQueue<HopEvent> queue, boolean isWaiting) {
        return isWaiting ? new ObjectHop(queue, queue, queue) : polled(queue);
    }

    /** A queue without a slot: a giver always waits in it, or the two would never meet. */
    static Hop meeting(BlockingQueue<HopEvent> queue, boolean isWaiting) {
        return new ObjectHop(queue, queue, isWaiting ? queue : null);
    }

    @Override
    public boolean tryGive(HopEvent message) {
        if (giving == null) {
            return queue.offer(message);
        }
        try {
            return giving.offer(message, WAIT_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            throw ended(interrupted);
        }
    }

    @Override
    public boolean take(Consumer<HopEvent> to) {
        HopEvent message;
        try {
            message = taking == null ? queue.poll() : taking.poll(WAIT_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            throw ended(interrupted);
        }
        if (message == null) {
            return false;
        }
        to.accept(message);
        return true;
    }

    @Override
    public boolean isCopying() {
        return false;
    }

    /** Nobody interrupts these threads: whoever did ends the trial. */
    private static IllegalStateException ended(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted in a queue", interrupted);
    }
}
