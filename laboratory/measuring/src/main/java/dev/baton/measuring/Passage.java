package dev.baton.measuring;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.WriterReaderPhaser;

/**
 * Where writers pass through data that a reader exchanges now and then. A writer never waits; it finds what was last put
 * there before it went in.
 *
 * <p>{@link #awaitThoseInside}: one thread at a time. The others: as the implementation says.
 */
interface Passage {
    /** Between two looks at the threads inside. */
    long LOOK_AGAIN_NANOS = 100_000;

    /** A writer goes in, and looks at the shared data only afterwards. @return to be given to {@link #exit} */
    long enter();

    /** It is out: its writes are seen by a reader that waits for it. */
    void exit(long token);

    /** Called after the exchange: returns when every writer that may have found the old data is out. */
    void awaitThoseInside();

    /**
     * A passage for one writing thread: a count, this object itself, that is odd while the writer is inside. Going in is one
     * atomic addition, going out a release store, where HdrHistogram's phaser, which admits any number of writers, takes two
     * atomic additions.
     *
     * <p>Why nothing is missed: the writer's addition and its look at the shared data, the reader's exchange and its look at
     * the count are all sequentially consistent. So the reader either sees the writer inside, and waits for the count to move
     * on, or the writer went in after that look and finds the new data. A count that moved on and is odd again belongs to a
     * later passage, which found the new data.
     *
     * <p>{@link #enter} and {@link #exit}: always the same thread.
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
