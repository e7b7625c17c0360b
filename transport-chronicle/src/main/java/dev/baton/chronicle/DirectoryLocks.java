package dev.baton.chronicle;

import dev.baton.spi.TransportException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Which processes are alive, and which topics this one writes: a byte-range lock for each process in one file per
 * directory, which the operating system drops when the process dies.
 *
 * <p>The byte is the process's <i>number</i>, which readers and writers leave in the metadata of the topic that they read or
 * write: the operating system's number of the process and 29 random bits, because containers give the same one twice. A
 * process that meets such a number asks for a shared lock there: it is refused while that process lives. So thousands of
 * readers and writers cost one descriptor and one lock. A lock for each of them would cost more with each that is held
 * already, as the JVM and the operating system look at all of them: at 12,000 it is 0.3 ms (measured on Linux).
 *
 * <p>POSIX drops all locks of a process on a file when the process closes <em>any</em> descriptor of it. So there is
 * one channel per directory and JVM, however many transports are open on it: the only static state of this module. A
 * second copy of this class in another class loader breaks that. Thread-safe.
 */
final class DirectoryLocks implements AutoCloseable {
    private static final String FILE = ".writers.lock";
    private static final Map<Path, DirectoryLocks> OPEN = new HashMap<>();

    /** Numbers of processes begin here, far beyond the file's end. */
    private static final long FIRST_PROCESS = 1L << 62;

    private static final int RANDOM_BITS = 29;
    private static final long PID_MASK = 0xFFFF_FFFFL;

    private final Path directory;
    private final FileChannel channel;
    private final long process;
    private final FileLock aliveLock; // the JVM forgets a lock that nothing refers to
    private final Set<String> written = ConcurrentHashMap.newKeySet(); // topics that this process writes
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

    /** Notes that a topic is written here; false: it is already, by this transport or another one of this JVM. */
    boolean beginWriting(String topic) {
        return written.add(topic);
    }

    void endWriting(String topic) {
        written.remove(topic);
    }

    /**
     * The number of this process, valid until close.
     *
     * @throws IllegalStateException when it is no longer
     */
    long process() {
        if (!aliveLock.isValid()) {
            throw new IllegalStateException("the transport is closed");
        }
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
            throw new TransportException("cannot look for live processes in " + directory + ": " + e, e);
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
}
