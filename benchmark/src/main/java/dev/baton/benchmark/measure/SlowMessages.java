package dev.baton.benchmark.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * The slowest messages that one recorder has seen, kept with their moments so that they can be explained in the end.
 *
 * <p>Which messages will lie above a percentile is known at the end only. So the slowest are kept, whatever the
 * percentile: a message that is not among them costs one comparison. That is exact as long as no more messages than there
 * is room for lie above it. A threshold that follows the percentile, as an alternative, loses what came while it stood too
 * high.
 *
 * <p>{@link #keep}: the recorder's thread; where several share a recorder, one at a time gets in and the others go on
 * without having kept theirs. {@link #forEach}: when those threads have ended.
 */
final class SlowMessages {
    private static final VarHandle BUSY;

    static {
        try {
            BUSY = MethodHandles.lookup().findVarHandle(SlowMessages.class, "busy", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final LongestHeap heap;
    private long barNanos = -1;

    @SuppressWarnings("unused") // through BUSY
    private int busy;

    SlowMessages(int most) {
        heap = new LongestHeap(most);
    }

    /** A message that took no longer than this need not be offered. */
    long barNanos() {
        return barNanos;
    }

    /** Keeps a message if it is among the slowest so far. */
    void keep(long slotNanos, long slipNanos, long responseNanos, long previousNanos) {
        if (!BUSY.compareAndSet(this, 0, 1)) {
            return;
        }
        heap.offer(slotNanos, responseNanos, slipNanos, previousNanos);
        barNanos = heap.barNanos();
        BUSY.setRelease(this, 0);
    }

    void forEach(Consumer<SlowMessage> visitor) {
        heap.forEach((slot, response, slip, previous) ->
                visitor.accept(new SlowMessage(slot, slot + slip, slot + response, previous)));
    }
}
