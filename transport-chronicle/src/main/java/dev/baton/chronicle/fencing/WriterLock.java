package dev.baton.chronicle.fencing;

import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.DirectoryLocks;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import net.openhft.chronicle.core.values.LongValue;

/**
 * The lock of a topic's one writer, held from open to close or to the death of the process: the process's number in the
 * queue's metadata, see {@link DirectoryLocks}. Within the process one writer has it. Confined to its connection's
 * thread.
 *
 * <p>The number is stored by a compare-and-swap in mapped memory, in place of none or that of a dead process, which no
 * process gets again. So one of two processes gets the lock, without a lock on the metadata, which the operating system
 * drops when another thread of the process closes the same file.
 */
public final class WriterLock {
    private static final long NONE = 0;
    private static final long CLEARING_NANOS = 100_000_000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final DirectoryLocks locks;
    private final LongValue holder;
    private final long process;

    private WriterLock(DirectoryLocks locks, LongValue holder, long process) {
        this.locks = locks;
        this.holder = holder;
        this.process = process;
    }

    /**
     * Takes the lock, and completes what a dead writer left (see {@link #clearAfterDeadWriter}). Waits for up to 100 ms, as a reader that is opened
     * may have the lock to do the same.
     *
     * @throws OccupiedException when another writer has it
     */
    public static WriterLock take(TopicLog log, DirectoryLocks locks) {
        long end = System.nanoTime() + CLEARING_NANOS;
        while (true) {
            try {
                return takeNow(log, locks);
            } catch (OccupiedException held) {
                if (System.nanoTime() - end >= 0) {
                    throw held;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private static WriterLock takeNow(TopicLog log, DirectoryLocks locks) {
        long process = locks.process();
        if (!locks.beginWriting(log.topic)) {
            throw occupied(log, process);
        }
        WriterLock taken = null;
        try {
            boolean isAfterDeadWriter = hasDeadWriter(log, locks);
            taken = claim(log, locks, process);
            if (log.format.deleteHalfMade(log.directory)) {
                log.queue.refreshDirectoryListing();
            }
            if (isAfterDeadWriter) {
                log.format.completeLastPosition(log.directory);
            }
            return taken;
        } catch (IOException | RuntimeException | InternalError e) {
            if (taken == null) {
                locks.endWriting(log.topic);
            } else {
                taken.release(log);
            }
            throw e instanceof TransportException known ? known : log.failed("cannot be written", e);
        }
    }

    /**
     * Removes a half-made file of a dead writer, for which readers would wait, and stores the place of its last excerpt,
     * from which they find the end. A live writer completes both.
     */
    public static void clearAfterDeadWriter(TopicLog log, DirectoryLocks locks) {
        try {
            if (log.format.hasHalfMade(log.directory)
                    || hasDeadWriter(log, locks) && log.format.hasOldLastPosition(log.directory)) {
                takeNow(log, locks).release(log);
            }
        } catch (OccupiedException liveWriter) {
            // which makes the file
        } catch (IOException e) {
            throw log.failed("cannot be opened", e);
        }
    }

    /** Returns whether the last writer's process ended without releasing the lock. */
    private static boolean hasDeadWriter(TopicLog log, DirectoryLocks locks) {
        try (LongValue holder = log.number(TopicLog.WRITER_PROCESS)) {
            long found = holder.getVolatileValue();
            return found != NONE && !locks.isAlive(found);
        }
    }

    private static WriterLock claim(TopicLog log, DirectoryLocks locks, long process) {
        LongValue holder = log.number(TopicLog.WRITER_PROCESS);
        try {
            long other = claim(holder, locks, process);
            if (other != process) {
                throw occupied(log, other);
            }
            log.format.freeAppenderLock(log.queue.metaStore());
            return new WriterLock(locks, holder, process);
        } catch (RuntimeException | InternalError e) {
            clear(holder, process);
            throw e;
        }
    }

    /** Returns the number of the process that has the lock now: this one, or another that lives. */
    private static long claim(LongValue holder, DirectoryLocks locks, long process) {
        while (true) {
            long found = holder.getVolatileValue();
            if (found != process && found != NONE && locks.isAlive(found)) {
                return found;
            }
            if (holder.compareAndSwapValue(found, process)) {
                return process;
            }
        }
    }

    private static OccupiedException occupied(TopicLog log, long number) {
        return log.occupied("has a live writer already, in process " + DirectoryLocks.pid(number)
                + " (close that one, or wait until the process has ended),");
    }

    /**
     * Checks that this process still has the lock, and the lock file. Called before a flush.
     *
     * @param nowMillis by any clock
     * @throws ReplacedException when another process has taken the lock
     * @throws TransportException when the lock file cannot be locked any more
     */
    public void check(TopicLog log, long nowMillis) {
        requireHeld(log);
        locks.check(nowMillis);
    }

    /**
     * Checks that no other process has taken the lock, by one read of mapped memory.
     *
     * @throws ReplacedException when another process has
     */
    public void requireHeld(TopicLog log) {
        long holder = this.holder.getVolatileValue();
        if (holder != process) {
            throw new ReplacedException(
                    log.topic,
                    DirectoryLocks.replaced(
                            log.topic,
                            log.directory,
                            "is not written by this process any more: " + DirectoryLocks.text(holder)
                                    + " has taken it over",
                            "writer"));
        }
    }

    /** Returns whether no other process has taken the lock, by one read of mapped memory. */
    public boolean isHeld() {
        return holder.getVolatileValue() == process;
    }

    public void release(TopicLog log) {
        try {
            clear(holder, process);
        } finally {
            locks.endWriting(log.topic);
        }
    }

    private static void clear(LongValue holder, long process) {
        holder.compareAndSwapValue(process, NONE);
        holder.close();
    }
}
