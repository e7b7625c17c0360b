package dev.baton.measuring;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.WriterReaderPhaser;

/**
 * A guard of data that writers use and a reader exchanges from time to time. A writer never waits; it finds the data that were current when
 * it entered, or newer ones.
 *
 * <p>{@link #awaitThoseInside} is called by one thread at a time. The implementations state who calls the other methods.
 */
interface Passage {
    /** The time between two checks of the threads inside. */
    long LOOK_AGAIN_NANOS = 100_000;

    /** Enters; the caller reads the shared data only afterwards. @return the token for {@link #exit} */
    long enter();

    /** Leaves: a reader that waits for the caller sees its writes. */
    void exit(long token);

    /** Returns when every writer that may have found the old data has left; called after the exchange. */
    void awaitThoseInside();

    /**
     * A passage for one writing thread: a count, this object itself, that is odd while the writer is inside. Entering is one atomic
     * addition and leaving a release store, where HdrHistogram's phaser, which admits any number of writers, takes two atomic additions.
     *
     * <p>No write is missed: the writer's addition and its read of the shared data, the reader's exchange and its read of the count are all
     * sequentially consistent. So the reader either sees the writer inside and waits for the count to change, or the writer entered after
     * that read and finds the new data. A count that has changed and is odd again belongs to a later passage, which found the new data.
     *
     * <p>{@link #enter} and {@link #exit} belong to one thread.
     */
    final class OfOne extends AtomicLong implements Passage {
        private static final long serialVersionUID = 1L;

        @Override
        public long enter() {
            return getAndAdd(1);
        }

        @Override
        public void exit(long token) {
            setRelease(token + 2);
        }

        @Override
        public void awaitThoseInside() {
            long seen = get();
            while ((seen & 1) != 0 && get() == seen) {
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        }
    }

    /** A passage for any number of writing threads: HdrHistogram's phaser. Thread-safe. */
    final class OfMany implements Passage {
        private final WriterReaderPhaser phaser = new WriterReaderPhaser();

        @Override
        public long enter() {
            return phaser.writerCriticalSectionEnter();
        }

        @Override
        public void exit(long token) {
            phaser.writerCriticalSectionExit(token);
        }

        @Override
        public void awaitThoseInside() {
            phaser.readerLock();
            try {
                phaser.flipPhase(LOOK_AGAIN_NANOS);
            } finally {
                phaser.readerUnlock();
            }
        }
    }
}
