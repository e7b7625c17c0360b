package dev.baton.chronicle;

import java.io.IOException;
import java.nio.channels.FileLock;
import net.openhft.chronicle.core.values.LongValue;

/**
 * The right to write a topic, held from open to close or to the death of the process. The process is named in the
 * queue's metadata, for the text that another one gets. Confined to its connection's thread.
 */
final class WriterLock {
    private static final String PROCESS = "baton.writer.process";

    private final FileLock lock;
    private final LongValue process;

    private WriterLock(FileLock lock, LongValue process) {
        this.lock = lock;
        this.process = process;
    }

    /**
     * Takes the right.
     *
     * @throws dev.baton.spi.OccupiedException when another writer has it
     */
    static WriterLock take(TopicLog log, DirectoryLocks locks) {
        FileLock lock = locks.tryLock(log.topic);
        if (lock == null) {
            try (LongValue process = log.inMetadata(store -> store.acquireValueFor(PROCESS, 0))) {
                throw log.occupied("has a live writer already, in process " + process.getVolatileValue()
                        + " (close that one, or wait until the process has ended),");
            }
        }
        try {
            if (log.format.deleteHalfMade(log.directory)) {
                log.queue.refreshDirectoryListing();
            }
            return log.inMetadata(store -> {
                log.format.freeAppenderLock(store);
                LongValue process = store.acquireValueFor(PROCESS, 0);
                process.setVolatileValue(ProcessHandle.current().pid());
                return new WriterLock(lock, process);
            });
        } catch (IOException | RuntimeException | InternalError e) {
            release(log, lock);
            throw log.failed("cannot be written", e);
        }
    }

    void release(TopicLog log) {
        process.setVolatileValue(0);
        process.close();
        release(log, lock);
    }

    private static void release(TopicLog log, FileLock lock) {
        try {
            if (lock.isValid()) {
                lock.release();
            }
        } catch (IOException e) {
            throw log.failed("cannot be unlocked", e);
        }
    }
}
