package dev.baton.chronicle.platform;

import dev.baton.spi.errors.TransportException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The liveness of the processes that use a directory, and the topics that this one writes: a byte-range lock for each process
 * in one file per directory, which the operating system drops when the process dies.
 *
 * <p>The byte is the process's <i>number</i>, which readers and writers leave in the metadata of the topic that they read or
 * write: the operating system's number of the process and 29 random bits, because containers give the same one twice. A
 * process that finds such a number asks for a shared lock there: it is refused while that process lives. Thousands of readers
 * and writers thus cost one descriptor and one lock. A lock for each of them would cost more with each that is held already,
 * as the JVM and the operating system search all of them: at 12,000 it is 0.3 ms (measured on Linux).
 *
 * <p><b>One channel for each process.</b> POSIX drops all locks of a process on a file when the process closes <em>any</em>
 * descriptor of it. So there is one channel per directory and process, however many transports are open on it, in whatever
 * class loaders: the open ones are in a map among the system properties, which contains objects of the JDK only. It is the only
 * static state of this module.
 *
 * <p><b>One user of a topic's metadata.</b> Another byte of the file is locked while a process opens a topic or adds a
 * consumer to it ({@link #exclusively}). Chronicle's own lock on the metadata does not suffice: a process loses it when one
 * of its threads closes the file, and two processes that then add numbers at once overwrite each other's.
 *
 * <p><b>A lock file that was removed.</b> A program that removes the file, as cleaners of temporary files do, does not end the
 * locks in it, but processes that start later lock another file. So the file is compared with the one that its path names, by
 * device and inode: before each opening, and at most once a second when a writer flushes. If they differ, this process takes
 * its lock in the file that the path names now. Until then, others find the lock in {@code /proc/locks}, which lists the locks
 * of all processes that they can see, also in files that were removed. A process that cannot see this one, as in another
 * container, may take over its topics in that time: then the number in the topic's metadata is not this one's any more, which
 * writers and readers check ({@code WriterLock.check}, {@code TailerPosition.requireHeld}). Thread-safe.
 */
public final class DirectoryLocks implements AutoCloseable {
    public static final String FILE = ".writers.lock";

    /** The system property whose value is a map of the open directories by device and inode. */
    public static final String REGISTRY = "dev.baton.chronicle.locks";

    /** The open directories by device and inode; guarded by itself, and each map in it by that one. */
    private static final Map<String, Map<String, Object>> OPEN = registry();

    // the entries for each directory
    private static final String CHANNEL = "channel";
    private static final String ALIVE_LOCK = "alive"; // the JVM forgets a lock that nothing refers to
    private static final String LOCKED_FILE = "file"; // its device and inode
    private static final String USERS = "users";
    private static final String WRITTEN = "written"; // topics that this process writes
    private static final String TASKS = "tasks"; // a lock of the threads for each byte of topics

    /** The first number of a process, far beyond the file's end. */
    private static final long FIRST_PROCESS = 1L << 62;

    /** The first byte for topics, below those of the processes. */
    private static final long FIRST_TOPIC = 1L << 61;

    /** The number of bytes for topics, a power of two: topics that share one wait for each other. */
    private static final int TOPIC_BYTES = 1 << 12;

    private static final int RANDOM_BITS = 29;
    private static final long PID_MASK = 0xFFFF_FFFFL;

    private static final Path ALL_LOCKS = Path.of("/proc/locks");

    /**
     * The kind of lock in a line of that file; a process that tests whether this one lives takes a shared one for a
     * moment.
     */
    private static final String EXCLUSIVE = " WRITE ";

    private static final long CHECK_MILLIS = 1_000;

    /** The attempts to take the lock, while another process tests the byte or the path changes. */
    private static final int ATTEMPTS = 1_000;

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long TASK_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Path directory;
    private final String key;
    private final Map<String, Object> shared;
    private final Set<String> written;
    private final Map<Long, ReentrantLock> tasks;
    private final long process;
    private volatile boolean isClosed;
    private volatile long checkedMillis = Long.MIN_VALUE;

    private DirectoryLocks(Path directory, String key, Map<String, Object> shared) {
        this.directory = directory;
        this.key = key;
        this.shared = shared;
        written = written(shared);
        tasks = tasks(shared);
        process = ((FileLock) shared.get(ALIVE_LOCK)).position();
    }

    @SuppressWarnings("unchecked") // only this class stores there, perhaps that of another class loader
    private static Map<String, Map<String, Object>> registry() {
        return (Map<String, Map<String, Object>>) System.getProperties()
                .computeIfAbsent(REGISTRY, first -> new HashMap<String, Map<String, Object>>());
    }

    @SuppressWarnings("unchecked") // as registry()
    private static Set<String> written(Map<String, Object> shared) {
        return (Set<String>) shared.get(WRITTEN);
    }

    @SuppressWarnings("unchecked") // as registry()
    private static Map<Long, ReentrantLock> tasks(Map<String, Object> shared) {
        return (Map<Long, ReentrantLock>) shared.get(TASKS);
    }

    /** Opens the locks of a directory, given by its real path; to be closed once. */
    public static DirectoryLocks of(Path directory) {
        synchronized (OPEN) {
            System.getProperties().putIfAbsent(REGISTRY, OPEN); // a program may have replaced all properties
            try {
                String key = fileKey(directory);
                Map<String, Object> shared = OPEN.get(key);
                if (shared == null) {
                    shared = new HashMap<>();
                    shared.put(WRITTEN, ConcurrentHashMap.newKeySet());
                    shared.put(TASKS, new ConcurrentHashMap<Long, ReentrantLock>());
                    shared.put(USERS, 0);
                    lock(directory, shared);
                    OPEN.put(key, shared);
                }
                synchronized (shared) {
                    shared.put(USERS, (Integer) shared.get(USERS) + 1);
                    return new DirectoryLocks(directory, key, shared);
                }
            } catch (IOException e) {
                throw new TransportException("cannot keep locks in " + directory + ": " + FileFailure.reason(e), e);
            }
        }
    }

    private static String fileKey(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path.toString() : key.toString();
    }

    /** Locks this process's number in the file that the path names now, and closes another one where it was locked. */
    private static void lock(Path directory, Map<String, Object> shared) throws IOException {
        Path file = directory.resolve(FILE);
        FileLock before = (FileLock) shared.get(ALIVE_LOCK);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            FileLock lock = null;
            FileChannel channel = null;
            try {
                String named = fileKey(file);
                if (named.equals(shared.get(LOCKED_FILE))) {
                    return; // put back meanwhile: to open and close it again would drop the lock
                }
                channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                if (named.equals(fileKey(file))) { // so it is the one that was opened
                    long number = before == null ? newNumber() : before.position();
                    lock = channel.tryLock(number, 1, false); // null while another process tests it
                }
                if (lock != null) {
                    shared.put(ALIVE_LOCK, lock);
                    shared.put(CHANNEL, channel);
                    shared.put(LOCKED_FILE, named);
                    if (before != null) {
                        before.acquiredBy().close();
                    }
                    return;
                }
            } catch (NoSuchFileException none) {
                create(file);
                continue;
            } finally {
                if (lock == null && channel != null) {
                    channel.close();
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IOException(file + " was replaced repeatedly, or its lock was held");
    }

    private static void create(Path file) throws IOException {
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException madeMeanwhile) {
            // by another process
        }
    }

    private static long newNumber() {
        long random = ThreadLocalRandom.current().nextLong() >>> Long.SIZE - RANDOM_BITS;
        return FIRST_PROCESS | (ProcessHandle.current().pid() & PID_MASK) << RANDOM_BITS | random;
    }

    /** Notes that this process writes a topic; returns false when it does already, by any of its transports. */
    public boolean beginWriting(String topic) {
        return written.add(topic);
    }

    public void endWriting(String topic) {
        written.remove(topic);
    }

    /** A task that reads or changes files. */
    @FunctionalInterface
    public interface FileTask<T> {
        T run() throws IOException;
    }

    /** Runs a task while this process has no writer of a topic, and gets none; returns null if it has one. */
    public <T> T withoutWriter(String topic, FileTask<T> task) throws IOException {
        if (!beginWriting(topic)) {
            return null;
        }
        try {
            return task.run();
        } finally {
            endWriting(topic);
        }
    }

    /**
     * Runs a task while no other thread or process runs one for the same topic. Waits for the others for up to 10 s. A task may
     * run another one for the same topic.
     *
     * @throws TransportException when the others have not finished by then, or the transport is closed
     */
    public <T> T exclusively(String topic, Supplier<T> task) {
        long place = FIRST_TOPIC | (topic.hashCode() ^ topic.hashCode() >>> Short.SIZE) & TOPIC_BYTES - 1;
        ReentrantLock threads = tasks.computeIfAbsent(place, first -> new ReentrantLock());
        long begin = System.nanoTime();
        while (!threads.tryLock()) {
            awaitOthers(topic, begin);
        }
        try {
            if (threads.getHoldCount() > 1) {
                return task.get();
            }
            FileLock processes = tryLock(place);
            while (processes == null) {
                awaitOthers(topic, begin);
                processes = tryLock(place);
            }
            try {
                return task.get();
            } finally {
                release(processes);
            }
        } finally {
            threads.unlock();
        }
    }

    private void awaitOthers(String topic, long begin) {
        if (System.nanoTime() - begin > TASK_LIMIT_NANOS) {
            throw new TransportException("topic " + topic + " cannot be used in " + directory
                    + ": for 10 s others have been opening it or adding consumers to it; end a process that is suspended"
                    + " there, and open it again");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    private FileLock tryLock(long place) {
        synchronized (shared) {
            try {
                return ((FileChannel) shared.get(CHANNEL)).tryLock(place, 1, false);
            } catch (IOException e) {
                throw new TransportException("cannot keep locks in " + directory + ": " + FileFailure.reason(e), e);
            }
        }
    }

    private void release(FileLock lock) {
        synchronized (shared) {
            if (lock.acquiredBy().isOpen()) { // or its file was replaced meanwhile
                try {
                    lock.release();
                } catch (IOException e) {
                    throw new TransportException("cannot keep locks in " + directory + ": " + FileFailure.reason(e), e);
                }
            }
        }
    }

    /**
     * Returns the number of this process, valid until close, after a check of the lock file.
     *
     * @throws IllegalStateException when the transport is closed
     * @throws TransportException when the lock cannot be held any more
     */
    public long process() {
        if (isClosed) {
            throw new IllegalStateException("the transport is closed");
        }
        check();
        return process;
    }

    /** Returns the number of this process, without a check of the lock file. */
    public long number() {
        return process;
    }

    /**
     * Checks the lock file, unless that was done within the last second. Called often.
     *
     * @param nowMillis by a clock that may step back
     * @throws TransportException when the lock cannot be held any more
     */
    public void check(long nowMillis) {
        long since = nowMillis - checkedMillis;
        if (since < 0 || since >= CHECK_MILLIS) {
            checkedMillis = nowMillis;
            check();
        }
    }

    private void check() {
        synchronized (shared) {
            try {
                if (!key.equals(fileKey(directory))) {
                    throw new TransportException(
                            "directory " + directory
                                    + " was removed and created again while it was in use: close the transport and open it again");
                }
                if (!isInPlace()) {
                    lock(directory, shared);
                }
            } catch (IOException e) {
                throw new TransportException(
                        "cannot keep locks in " + directory + ", whose lock file " + FILE
                                + " was removed or replaced: close the transport and open it again: " + e,
                        e);
            }
        }
    }

    private boolean isInPlace() throws IOException {
        try {
            return fileKey(directory.resolve(FILE)).equals(shared.get(LOCKED_FILE));
        } catch (NoSuchFileException removed) {
            return false;
        }
    }

    /**
     * Returns whether the process with a number is this one or another that lives; any other value is no number of a
     * process.
     */
    public boolean isAlive(long number) {
        if (number == process) {
            return !isClosed;
        }
        if (number >>> Long.SIZE - 3 != FIRST_PROCESS >>> Long.SIZE - 3) {
            return false;
        }
        synchronized (shared) {
            try (FileLock free = ((FileChannel) shared.get(CHANNEL)).tryLock(number, 1, true)) {
                if (free == null) {
                    return true;
                }
            } catch (IOException e) {
                throw new TransportException(
                        "cannot look for live processes in " + directory + ": " + FileFailure.reason(e), e);
            }
        }
        return isListed(number);
    }

    /**
     * Returns whether a process holds its lock, perhaps in a file that the path does not name any more. Reads by a stream, as a
     * channel would fail on a thread that was interrupted.
     */
    private boolean isListed(long number) {
        File locks = ALL_LOCKS.toFile();
        if (!locks.canRead()) {
            return false;
        }
        String range = " " + number + " " + number;
        try (FileInputStream in = new FileInputStream(locks)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)
                    .lines()
                    .anyMatch(line -> line.endsWith(range) && line.contains(EXCLUSIVE));
        } catch (IOException e) {
            throw new TransportException(
                    "cannot look for live processes in " + locks + ": " + FileFailure.reason(e), e);
        }
    }

    /** Returns the operating system's number of a process. */
    public static long pid(long number) {
        return number >>> RANDOM_BITS & PID_MASK;
    }

    /** Returns a process as text for messages; 0: one that has released the lock again. */
    public static String text(long number) {
        return number == 0 ? "another process" : "process " + pid(number);
    }

    /** Returns the message for a writer or reader of a topic that another process has replaced, with the topic's files. */
    public static String replaced(String topic, Path files, String how, String what) {
        return "topic " + topic + " in " + files + " " + how + ", as the lock file " + FILE
                + " of this process had been removed; keep that file. This " + what + " ends here";
    }

    @Override
    public void close() {
        synchronized (OPEN) {
            synchronized (shared) {
                isClosed = true;
                int users = (Integer) shared.get(USERS) - 1;
                shared.put(USERS, users);
                if (users == 0) {
                    OPEN.remove(key);
                    try {
                        ((FileChannel) shared.get(CHANNEL)).close();
                    } catch (IOException e) {
                        throw new TransportException(
                                "cannot close the locks in " + directory + ": " + FileFailure.reason(e), e);
                    }
                }
            }
        }
    }
}
