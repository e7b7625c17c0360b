package dev.baton.measuring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A passage for one writing thread: a count that is odd while the writer is inside. Going in is one atomic addition, going
 * out a release store, where HdrHistogram's phaser, which admits any number of writers, takes two atomic additions.
 *
 * <p>Why nothing is missed: the writer's addition and its look at the shared data, the reader's exchange and its look at
 * the count are all sequentially consistent. So the reader either sees the writer inside, and waits for the count to move
 * on, or the writer went in after that look and finds the new data. A count that moved on and is odd again belongs to a
 * later passage, which found the new data.
 *
 * <p>{@link #enter} and {@link #exit}: always the same thread.
 */
final class PassageOfOne implements Passage {
    private static final VarHandle COUNT;

    private static final long LOOK_AGAIN_NANOS = 100_000;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(PassageOfOne.class, "count", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    @SuppressWarnings("unused") // through its handle
    private volatile long count;

    @Override
    public long enter() {
        return (long) COUNT.getAndAdd(this, 1L);
    }

    @Override
    public void exit(long token) {
        COUNT.setRelease(this, token + 2);
    }

    @Override
    public void awaitThoseInside() {
        long seen = (long) COUNT.getVolatile(this);
        while ((seen & 1) != 0 && (long) COUNT.getVolatile(this) == seen) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }
}
