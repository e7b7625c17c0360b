package dev.baton.measuring;

import org.HdrHistogram.WriterReaderPhaser;

/** A passage for any number of writing threads: HdrHistogram's phaser. Thread-safe. */
final class PassageOfMany implements Passage {
    private static final long LOOK_AGAIN_NANOS = 100_000;

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
