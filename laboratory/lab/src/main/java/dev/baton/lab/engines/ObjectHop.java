package dev.baton.lab.engines;

import dev.baton.lab.engines.RingLibrary.HopEvent;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A queue of objects: the message itself goes from thread to thread. A thread that does not wait in the queue looks once.
 *
 * @param queue a {@link BlockingQueue} where one of the threads waits in it
 * @param isGiverWaiting for room
 * @param isTakerWaiting for a message
 */
record ObjectHop(Queue<HopEvent> queue, boolean isGiverWaiting, boolean isTakerWaiting) implements Hop {
    @Override
    public boolean tryGive(HopEvent message) {
        try {
            return isGiverWaiting
                    ? ((BlockingQueue<HopEvent>) queue).offer(message, WAIT_NANOS, TimeUnit.NANOSECONDS)
                    : queue.offer(message);
        } catch (InterruptedException interrupted) {
            throw ended(interrupted);
        }
    }

    @Override
    public boolean take(Consumer<HopEvent> to) {
        HopEvent message;
        try {
            message = isTakerWaiting
                    ? ((BlockingQueue<HopEvent>) queue).poll(WAIT_NANOS, TimeUnit.NANOSECONDS)
                    : queue.poll();
        } catch (InterruptedException interrupted) {
            throw ended(interrupted);
        }
        if (message != null) {
            to.accept(message);
        }
        return message != null;
    }

    @Override
    public boolean isCopying() {
        return false;
    }

    /** {@return the failure of a trial whose thread was interrupted: the laboratory stops threads by a signal instead} */
    private static IllegalStateException ended(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted in a queue", interrupted);
    }
}
