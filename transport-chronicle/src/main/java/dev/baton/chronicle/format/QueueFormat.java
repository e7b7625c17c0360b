package dev.baton.chronicle.format;

import dev.baton.spi.TransportException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.table.AbstractTSQueueLock;
import net.openhft.chronicle.queue.impl.table.SingleTableStore;

/**
 * What Baton may do with queue files past the library: everything where the library is the version whose format this
 * package knows, nothing where it is another one. Then files are not checked before they are mapped, nothing that a crash
 * has left is repaired, and topics can neither be inspected nor freed in part. Immutable, thread-safe.
 */
public final class QueueFormat {
    /** The version of Chronicle Queue whose files this package knows. */
    public static final String VERSION = "2026.4";

    /** Chronicle's own name of the lock that its appenders take among themselves. */
    static final String APPENDER_LOCK = "chronicle.write.lock";

    private static final String POM = "/META-INF/maven/net.openhft/chronicle-queue/pom.properties";

    private final String library;
    private final boolean isKnown;

    private QueueFormat(String library) {
        this.library = library;
        isKnown = library.equals(VERSION);
    }

    /** {@return the format of the library on the class path; unknown, too, where its version is} */
    public static QueueFormat ofLibrary() {
        return of(libraryVersion());
    }

    /**
     * {@return the format of a version of the library}
     *
     * @param libraryVersion such as {@value #VERSION}
     */
    public static QueueFormat of(String libraryVersion) {
        return new QueueFormat(libraryVersion);
    }

    /**
     * {@return the version of the library on the class path, such as {@code 2026.4}; {@code unknown} where a build has dropped
     * it} Read from the library's jar; loads none of its static state.
     */
    public static String libraryVersion() {
        try (InputStream in = ChronicleQueue.class.getResourceAsStream(POM)) {
            Properties pom = new Properties();
            if (in != null) {
                pom.load(in);
            }
            return pom.getProperty("version", manifestVersion());
        } catch (IOException unreadable) {
            return manifestVersion();
        }
    }

    /** In a jar of many libraries the manifest has the version of something else. */
    private static String manifestVersion() {
        String version = ChronicleQueue.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** {@return whether the files of the library can be read without it} */
    public boolean isKnown() {
        return isKnown;
    }

    /** {@return one line for a reader of a transport's properties} */
    public String text() {
        return isKnown
                ? "known: files are checked before they are mapped, and repaired after a crash"
                : "unknown for version " + library + ", known for " + VERSION
                        + ": no check of files, no repair after a crash, no inspection, no retention=unread";
    }

    /**
     * Refuses what cannot be done past the library.
     *
     * @param what is asked for, as in {@code topics can be inspected}
     * @throws TransportException where the format is unknown
     */
    public void require(String what) {
        if (!isKnown) {
            throw new TransportException(what + " only with Chronicle Queue " + VERSION
                    + ", whose file format is known; the version on the class path is " + library);
        }
    }

    /**
     * Checks a topic's files before a queue is opened.
     *
     * @param topic for errors
     * @param directory of its files
     * @throws IOException when a file cannot be read
     */
    public void checkBeforeOpening(String topic, Path directory) throws IOException {
        if (isKnown) {
            QueueCheck.beforeOpening(topic, directory);
        }
    }

    /**
     * Checks what a reader has not read, before it goes to its place.
     *
     * @param topic for errors
     * @param directory of its files
     * @param index to go on at, 0: the oldest left
     * @throws IOException when a file cannot be read
     */
    public void checkBeforeReading(String topic, Path directory, long index) throws IOException {
        if (isKnown) {
            QueueCheck.beforeReading(topic, directory, index);
        }
    }

    /**
     * Repairs metadata that a crash has left half made, before a queue is opened.
     *
     * @param directory of the topic's files
     * @throws IOException when the file cannot be read or changed
     */
    public void repairMetadata(Path directory) throws IOException {
        if (isKnown) {
            Path metadata = directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE);
            // an empty mark is no obstacle there
            if (Files.exists(metadata) && mark(metadata) < 0) {
                SingleTableStore.doWithExclusiveLock(metadata.toFile(), QueueFormat::blank, () -> metadata);
            }
        }
    }

    /**
     * {@return whether the newest queue file is half made, by a live writer or by one that has died}
     *
     * @param directory of the topic's files
     * @throws IOException when a file cannot be read
     */
    public boolean hasHalfMade(Path directory) throws IOException {
        return isKnown && newestHalfMade(directory) != null;
    }

    /**
     * Deletes the newest queue file if a crash has left it half made. The caller has the topic's writer lock.
     *
     * @param directory of the topic's files
     * @return whether there was one
     * @throws IOException when a file cannot be read or deleted
     */
    public boolean deleteHalfMade(Path directory) throws IOException {
        Path halfMade = isKnown ? newestHalfMade(directory) : null;
        return halfMade != null && Files.deleteIfExists(halfMade);
    }

    /**
     * Frees the library's lock of a dead appender. The library itself would wait for a process with the same number, which
     * in a container may well be this one. The caller has the topic's writer lock, so that no appender lives.
     *
     * @param metadata of the topic, open
     */
    public void freeAppenderLock(TableStore<?> metadata) {
        if (isKnown) {
            try (LongValue appender = metadata.acquireValueFor(APPENDER_LOCK, AbstractTSQueueLock.UNLOCKED)) {
                appender.setVolatileValue(AbstractTSQueueLock.UNLOCKED);
            }
        }
    }

    /**
     * {@return whether the file of an index is there; true where that is left to the library}
     *
     * @param directory of the topic's files
     * @param index with its cycle, as Chronicle makes it
     */
    public boolean hasFileOf(Path directory, long index) {
        return !isKnown || QueueFiles.of(directory, index) != null;
    }

    private static Path newestHalfMade(Path directory) throws IOException {
        Path newest = null;
        try (DirectoryStream<Path> files = QueueFiles.stream(directory)) {
            for (Path file : files) {
                newest = newest == null || file.compareTo(newest) > 0 ? file : newest;
            }
        }
        return newest == null || mark(newest) > 0 ? null : newest;
    }

    /** Returns zero where nothing is written yet, a negative number while a process writes the file or has died over it. */
    private static int mark(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return mark(channel);
        } catch (NoSuchFileException deletedMeanwhile) {
            return 0;
        }
    }

    private static int mark(FileChannel file) throws IOException {
        ByteBuffer mark = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        file.read(mark, 0);
        return mark.getInt(0);
    }

    /** Runs under the lock, which the first channel on the file that closes releases: one channel reads and writes. */
    private static boolean blank(Path metadata) {
        try (FileChannel channel = FileChannel.open(metadata, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (mark(channel) < 0) {
                channel.write(ByteBuffer.allocate((int) channel.size()), 0);
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
