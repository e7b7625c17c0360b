package dev.baton.lab.engines;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A {@link LinkedTransferQueue} that refuses what exceeds a bound: the library's own has none, so that a slow reader would
 * fill the heap. The bound costs two counters; the giver looks at the taker's only when the room that it knows of is used up.
 *
 * <p>One thread offers and one polls, by the methods that are overridden here, which do not wait for room; no other method
 * keeps the bound.
 */
final class BoundedTransferQueue<E> extends LinkedTransferQueue<E> {
    private static final long serialVersionUID = 1;

    // Places in the array, 256 bytes from each other, so that no processor fetches two of them at once.
    private static final int GIVEN = 32;
    private static final int SEEN = GIVEN + 1; // of what was taken, by the giver
    private static final int TAKEN = 64;
    private static final int LENGTH = 96;

    private final AtomicLongArray counts = new AtomicLongArray(LENGTH);
    private final int capacity;

    BoundedTransferQueue(int capacity) {
        this.capacity = capacity;
    }

    @Override
    public boolean offer(E element) {
        long given = counts.getPlain(GIVEN);
        if (given - counts.getPlain(SEEN) >= capacity) {
            long taken = counts.getAcquire(TAKEN);
            counts.setPlain(SEEN, taken);
            if (given - taken >= capacity) {
                return false;
            }
        }
        counts.setPlain(GIVEN, given + 1);
        return super.offer(element);
    }

    @Override
    public E poll() {
        return counted(super.poll());
    }

    @Override
    public E poll(long time, TimeUnit unit) throws InterruptedException {
        return counted(super.poll(time, unit));
    }

    private E counted(E element) {
        if (element != null) {
            counts.setRelease(TAKEN, counts.getPlain(TAKEN) + 1);
        }
        return element;
    }
}
