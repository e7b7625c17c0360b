package dev.baton.chronicle.format;

import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.LongPredicate;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.table.AbstractTSQueueLock;
import net.openhft.chronicle.queue.impl.table.SingleTableStore;

/**
 * The access to queue files without the library: complete where the library is the version whose format this package
 * implements, or writes the same as that one ({@link FormatProbe}); none otherwise. Then files are not checked before they
 * are mapped, nothing that a crash has left is repaired, and topics can neither be inspected nor freed in part.
 *
 * <p>Chronicle marks a file as complete by writing its first four bytes last. A crash may leave a half-made file
 * without the mark: Chronicle refuses such metadata for ever, and waits for the mark of a queue file at every poll
 * until it gives up. Metadata are blanked, so that Chronicle makes them anew, while Chronicle's own lock on them
 * excludes other makers. Of the queue files only the newest can be half made, and only by the topic's writer: the
 * holder of the writer lock deletes it. Neither has ever held a frame. Immutable, thread-safe.
 */
public final class QueueFormat {
    /** The version of Chronicle Queue whose file format this package implements. */
    public static final String VERSION = "2026.4";

    /** Chronicle's own name of the lock that its appenders take among themselves. */
    static final String APPENDER_LOCK = "chronicle.write.lock";

    /** Chronicle's own name of the lock that keeps all appenders out, which Baton never takes. */
    private static final String QUEUE_LOCK = "chronicle.append.lock";

    private static final VarHandle NUMBERS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final String POM = "/META-INF/maven/net.openhft/chronicle-queue/pom.properties";

    private final String library;
    private final String difference; // empty: the format is known
    private final boolean isKnown;

    private QueueFormat(String library, String difference) {
        this.library = library;
        this.difference = difference;
        isKnown = difference.isEmpty();
    }

    /** The format of the library on the class path, found out once. */
    private static final class OfLibrary {
        static final QueueFormat FORMAT = of(libraryVersion());
    }

    /** {@return the format of the library on the class path} The first call may write files, which it removes. */
    public static QueueFormat ofLibrary() {
        return OfLibrary.FORMAT;
    }

    /** {@return the format of the library on the class path if it had this version} May write files, which it removes. */
    public static QueueFormat of(String libraryVersion) {
        return new QueueFormat(libraryVersion, libraryVersion.equals(VERSION) ? "" : FormatProbe.difference());
    }

    /**
     * {@return an unknown format}
     *
     * @param libraryVersion version that has it
     * @param difference from the known format, in words
     */
    public static QueueFormat unknown(String libraryVersion, String difference) {
        return new QueueFormat(libraryVersion, difference);
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

    /** Returns the version in the manifest, which in a jar of many libraries is that of something else. */
    private static String manifestVersion() {
        String version = ChronicleQueue.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** {@return whether the files of the library can be read without it} */
    public boolean isKnown() {
        return isKnown;
    }

    /** {@return a description for the properties of a transport} */
    public String text() {
        String known = ": files are checked before they are mapped, and repaired after a crash";
        if (library.equals(VERSION)) {
            return "known" + known;
        }
        return isKnown
                ? "known, as files of version " + library + " were compared with those of " + VERSION + known
                : "unknown for version " + library + ", known for " + VERSION + " (" + difference
                        + "): no check of files, no repair after a crash, no inspection, no retention=unread";
    }

    /**
     * Refuses an operation that needs access to the files without the library.
     *
     * @param what the operation, as in {@code topics can be inspected}
     * @throws TransportException where the format is unknown
     */
    public void require(String what) {
        if (!isKnown) {
            throw new TransportException(what + " only with Chronicle Queue " + VERSION
                    + ", whose file format is known; the version on the class path is " + library
                    + ", whose files differ: " + difference);
        }
    }

    /** Checks a topic's files before a queue is opened. */
    public void checkBeforeOpening(String topic, Path directory) throws IOException {
        if (isKnown) {
            QueueCheck.beforeOpening(topic, directory);
        }
    }

    /** Checks the part of a topic from an index on, 0 for the oldest left, before a reader moves there. */
    public void checkBeforeReading(String topic, Path directory, long index) throws IOException {
        if (isKnown) {
            QueueCheck.beforeReading(topic, directory, index);
        }
    }

    /** Repairs metadata that a crash has left half made, before a queue is opened. */
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
     * Removes what a power failure may have left of frames that were not confirmed, before a queue is opened. Meanwhile this
     * process has the topic's writer lock; if another writer has it, nothing is removed.
     *
     * @param mayBeTorn whether it may have, by the run of the operating system that the record of the topic's end names
     * @param isAlive whether the process with a number lives; its writer confirms what there is
     * @param process number of this process, which has no writer of the topic
     * @return what was removed, for a report; null for nothing
     */
    public String removeTornTail(Path directory, LongPredicate mayBeTorn, LongPredicate isAlive, long process)
            throws IOException {
        try {
            if (!isKnown || torn(directory, mayBeTorn) == null) {
                return null;
            }
            try (TopicClaim claim = TopicClaim.of(directory, isAlive, process)) {
                // another process may have removed it meanwhile
                TornTail tail = claim.isTaken() ? torn(directory, mayBeTorn) : null;
                return tail == null ? null : tail.remove();
            }
        } catch (FileDefect reportedByTheCheck) {
            return null;
        }
    }

    private static TornTail torn(Path directory, LongPredicate mayBeTorn) throws IOException, FileDefect {
        Map<String, Long> numbers = StoredMetadata.of(directory);
        StoredPosition.Value end = StoredPosition.in(numbers, StoredMetadata.END);
        if (end == null || !mayBeTorn.test(end.index())) {
            return null;
        }
        StoredPosition.Value freed = StoredPosition.in(numbers, StoredMetadata.FREED); // of frames that were confirmed
        boolean isSynced = end.index() < 0; // as Boot has it
        return new TornTail(
                directory, end.sequence(), freed == null ? new StoredPosition.Value(0, 0) : freed, isSynced);
    }

    /**
     * Claims a topic that is to be deleted, unless another process writes it. This process has no writer of it.
     *
     * @param isAlive whether the process with a number lives
     * @param process number of this process
     * @return the claim, to be closed; of nothing where the format is unknown
     */
    public TopicClaim claim(Path directory, LongPredicate isAlive, long process) throws IOException {
        return isKnown ? TopicClaim.of(directory, isAlive, process) : TopicClaim.none();
    }

    /** {@return whether the newest queue file is half made, by a live writer or by one that has died} */
    public boolean hasHalfMade(Path directory) throws IOException {
        return isKnown && newestHalfMade(directory) != null;
    }

    /**
     * Deletes the newest queue file if a crash has left it half made; returns whether it was. The caller has the
     * topic's writer lock.
     */
    public boolean deleteHalfMade(Path directory) throws IOException {
        Path halfMade = isKnown ? newestHalfMade(directory) : null;
        return halfMade != null && Files.deleteIfExists(halfMade);
    }

    /** {@return whether the newest file has an excerpt behind the last one whose place is stored} */
    public boolean hasOldLastPosition(Path directory) throws IOException {
        List<Path> files = isKnown ? QueueFiles.in(directory) : List.of();
        return !files.isEmpty() && LastPosition.isOld(files.get(files.size() - 1));
    }

    /**
     * Stores the place of the last excerpt in the newest file, which a dead writer has left out. The caller has the topic's
     * writer lock.
     */
    public void completeLastPosition(Path directory) throws IOException {
        List<Path> files = isKnown ? QueueFiles.in(directory) : List.of();
        if (!files.isEmpty()) {
            LastPosition.complete(files.get(files.size() - 1));
        }
    }

    /**
     * Frees the lock of a dead appender, on which the library itself would wait while a process has the same number,
     * which in a container may be this one, and the lock of all appenders, which only damage can have taken. The caller has the topic's writer lock, so that no appender lives.
     */
    public void freeAppenderLock(TableStore<?> metadata) {
        if (isKnown) {
            for (String lock : List.of(APPENDER_LOCK, QUEUE_LOCK)) {
                try (LongValue holder = metadata.acquireValueFor(lock, AbstractTSQueueLock.UNLOCKED)) {
                    holder.setVolatileValue(AbstractTSQueueLock.UNLOCKED);
                }
            }
        }
    }

    /** {@return whether the file of an index exists; true where the format is unknown} */
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
