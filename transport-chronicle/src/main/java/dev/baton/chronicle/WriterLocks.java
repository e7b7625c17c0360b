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

/**
 * Who may write a topic: one byte-range lock per writer, all in one file per directory, so that thousands of writers
 * cost one descriptor. The operating system drops the locks of a process that dies.
 *
 * <p>A topic's byte is at a hash of its name, far beyond the file's end, which needs no registration; that two of 6,000
 * names meet has a chance of 10^-12, and then the second is refused, not damaged.
 *
 * <p>POSIX drops all locks of a process on a file when the process closes <em>any</em> descriptor of it. So there is
 * one channel per directory and JVM, however many transports are open on it: the only static state of this module. A
 * second copy of this class in another class loader breaks that. Thread-safe.
 */
final class WriterLocks implements AutoCloseable {
    private static final String FILE = ".writers.lock";
    private static final Map<Path, WriterLocks> OPEN = new HashMap<>();

    private final Path directory;
    private final FileChannel channel;
    private int users;

    private WriterLocks(Path directory) throws IOException {
        this.directory = directory;
        channel = FileChannel.open(
                directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** The locks of a directory, given by its real path; to be closed as often as asked for. */
    static WriterLocks of(Path directory) {
        synchronized (OPEN) {
            WriterLocks locks = OPEN.get(directory);
            if (locks == null) {
                try {
                    locks = new WriterLocks(directory);
                } catch (IOException e) {
                    throw new TransportException("cannot keep writer locks in " + directory + ": " + e, e);
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

    @Override
    public void close() {
        synchronized (OPEN) {
            users--;
            if (users == 0) {
                OPEN.remove(directory);
                try {
                    channel.close();
                } catch (IOException e) {
                    throw new TransportException("cannot close the writer locks in " + directory + ": " + e, e);
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
