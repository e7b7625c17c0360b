package dev.baton.chronicle;

import dev.baton.spi.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Who may write a topic, and which processes are alive: byte-range locks in one file per directory, so that thousands of
 * writers and readers cost one descriptor. The operating system drops the locks of a process that dies.
 *
 * <p>A writer has a lock of its own. A topic's byte is at a hash of its name, far beyond the file's end, which needs no
 * registration; that two of 6,000 names meet has a chance of 10^-12, and then the second is refused, not damaged.
 *
 * <p>Readers share one lock per process, since the cost of a lock grows with those already held: at 12,000 it is 0.3 ms
 * (measured on Linux). Its byte is the process's <i>number</i>, which readers leave where they read: the operating
 * system's number of the process and 29 random bits, because containers give the same one twice. It lies behind all bytes of
 * writers. A process that meets such a number asks for a shared lock there: it is refused while that process lives.
 *
 * <p>POSIX drops all locks of a process on a file when the process closes <em>any</em> descriptor of it. So there is
 * one channel per directory and JVM, however many transports are open on it: the only static state of this module. A
 * second copy of this class in another class loader breaks that. Thread-safe.
 */
final class DirectoryLocks implements AutoCloseable {
    private static final String FILE = ".writers.lock";
    private static final Map<Path, DirectoryLocks> OPEN = new HashMap<>();

    /** Numbers of processes begin here; writers have the bytes below. */
    private static final long FIRST_PROCESS = 1L << 62;

    private static final int RANDOM_BITS = 29;
    private static final long PID_MASK = 0xFFFF_FFFFL;

    private final Path directory;
    private final FileChannel channel;
    private final long process;
    private final FileLock aliveLock; // the JVM forgets a lock that nothing refers to
    private int users;

    private DirectoryLocks(Path directory) throws IOException {
        this.directory = directory;
        channel = FileChannel.open(
                directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            while (lock == null) {
                long random = ThreadLocalRandom.current().nextLong() >>> Long.SIZE - RANDOM_BITS;
                long pid = ProcessHandle.current().pid() & PID_MASK;
                lock = channel.tryLock(FIRST_PROCESS | pid << RANDOM_BITS | random, 1, false);
            }
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        aliveLock = lock;
        process = lock.position();
    }

    /** The locks of a directory, given by its real path; to be closed as often as asked for. */
    static DirectoryLocks of(Path directory) {
        synchronized (OPEN) {
            DirectoryLocks locks = OPEN.get(directory);
            if (locks == null) {
                try {
                    locks = new DirectoryLocks(directory);
                } catch (IOException e) {
                    throw new TransportException("cannot keep locks in " + directory + ": " + e, e);
                }
                OPEN.put(directory, locks);
            }
            locks.users++;
            return locks;
        }
    }

    /** The topic's lock, or null: another writer has it, here or in another process. Never blocks. */
    FileLock tryLock(String topic) {
        try {
            return channel.tryLock(place(topic), 1, false);
        } catch (OverlappingFileLockException inThisJvm) {
            return null;
        } catch (IOException e) {
            throw new TransportException("cannot lock topic " + topic + " in " + directory + ": " + e, e);
        }
    }

    /** The number of this process, valid until close. */
    long process() {
        return process;
    }

    /** Whether the process with a number is this one or another that lives; any other number is nobody's. */
    synchronized boolean isAlive(long number) {
        if (number == process) {
            return aliveLock.isValid();
        }
        if (number >>> Long.SIZE - 3 != FIRST_PROCESS >>> Long.SIZE - 3) {
            return false;
        }
        try (FileLock free = channel.tryLock(number, 1, true)) {
            return free == null;
        } catch (IOException e) {
            throw new TransportException("cannot look for live readers in " + directory + ": " + e, e);
        }
    }

    /** The operating system's number of a process. */
    static long pid(long number) {
        return number >>> RANDOM_BITS & PID_MASK;
    }

    @Override
    public void close() {
        synchronized (OPEN) {
            users--;
            if (users == 0) {
                OPEN.remove(directory);
                try {
                    channel.close();
                } catch (IOException e) {
                    throw new TransportException("cannot close the locks in " + directory + ": " + e, e);
                }
            }
        }
    }

    private static long place(String topic) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(topic.getBytes(StandardCharsets.US_ASCII));
            return ByteBuffer.wrap(hash).getLong() >>> 2;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
