package dev.baton.chronicle.log;

import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.directory.TopicHistory;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.QueueFormat;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.platform.Boot;
import dev.baton.chronicle.platform.Device;
import dev.baton.chronicle.platform.DirectoryLocks;
import dev.baton.chronicle.platform.DiskSpace;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.chronicle.platform.Storage;
import dev.baton.chronicle.platform.SyncedFile;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.Function;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.SyncMode;
import net.openhft.chronicle.core.io.IORuntimeException;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The open queue of one topic, shared by all connections of a transport: two descriptors and two mappings per topic,
 * however many threads use it. Chronicle's queue may be shared; the appenders and tailers that it creates belong to one
 * connection each.
 *
 * <p>The writer also publishes here the newest sequence that it has flushed, so that a reader of the same transport
 * finds by one volatile read that there is nothing new, without an access to the mapped file. Thread-safe.
 */
public final class TopicLog {
    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(TopicLog.class, "newest", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** The value of {@link #newest} when no writer of this transport is open. */
    private static final long UNKNOWN = Long.MAX_VALUE;

    /** The time that Chronicle waits for a header or a lock that a dead process has left half made. */
    private static final long TIMEOUT_MILLIS = 2_000;

    /** The size of the metadata with the names and positions of some forty consumers. */
    private static final long METADATA_BYTES = 16 << 10;

    /**
     * The oldest cycle of a file, whatever the clock reads: an excerpt of an older one would have the index 0, which
     * means none, and Chronicle cannot name files from before 1970.
     */
    private static final int FIRST_CYCLE = 1;

    /** The key of the process that writes the topic, in the queue's metadata. */
    public static final String WRITER_PROCESS = StoredMetadata.WRITER_PROCESS;

    /** The key of the mark that a sync failed, in the queue's metadata: 1 after a failure. */
    public static final String SYNC_FAILED = "baton.sync.failed";

    /** The key of the number of consumers, in the queue's metadata: changes with every consumer that the topic gets. */
    public static final String CONSUMERS = "baton.consumers";

    private static final String RESTORE = "restore the topic's files, or delete the topic";

    private static final String WRITERS = "baton.writers";

    /** The keys of a topic's numbers, which are created with it; those of its consumers are added later. */
    private static final List<String> NUMBERS = List.of(WRITERS, WRITER_PROCESS, SYNC_FAILED, CONSUMERS);

    public final String topic;
    public final Path directory;
    public final QueueFormat format;
    public final SingleChronicleQueue queue;

    /** The storage device on which a frame has to be before a writer confirms it; {@link Device#NONE} for none. */
    public final Device device;

    private final DirectoryLocks locks;
    private final FileClock fileClock;

    /**
     * The count of incarnations: a change notifies readers, in this and other processes, that the history has grown.
     */
    private final LongValue writers;

    /** The key of the open metadata file, which no other file has while it is open. */
    private final Object metadataKey;

    private volatile TopicHistory history;

    /** The value of {@link #writers} when the history was read. */
    private volatile long knownWriters;

    /**
     * The newest flushed sequence, set by the writer's thread. Without a fence: a loop that wakes another has one of its
     * own.
     */
    private volatile long newest = UNKNOWN;

    /**
     * Opens the log of a topic that exists.
     *
     * @throws TransportException when its files are damaged or cannot be written
     */
    public TopicLog(
            String topic,
            Path directory,
            QueueFormat format,
            ChronicleOptions options,
            TimeProvider clock,
            Storage storage) {
        this.topic = topic;
        this.directory = directory;
        this.format = format;
        device = storage.device();
        locks = storage.locks();
        fileClock = new FileClock(clock);
        try {
            // first: a damaged file with frames is not to be repaired as a half-made one
            format.checkBeforeOpening(topic, directory);
            format.repairMetadata(directory);
            reserveMetadata(storage.space());
            queue = SingleChronicleQueueBuilder.binary(directory)
                    .rollCycle(rollCycle(options.get(ChronicleOptions.ROLL)))
                    .blockSize(options.get(ChronicleOptions.BLOCK_SIZE))
                    .indexCount(options.get(ChronicleOptions.INDEX_COUNT))
                    .indexSpacing(options.get(ChronicleOptions.INDEX_SPACING))
                    .syncMode(SyncMode.NONE) // TopicSync does it, which has to receive the failures
                    .timeoutMS(TIMEOUT_MILLIS)
                    .timeProvider(fileClock)
                    .build();
        } catch (TransportException known) {
            throw known;
        } catch (Exception | InternalError e) { // Chronicle throws undeclared checked exceptions
            throw failed("cannot be opened", e);
        }
        if (queue.metaStore().readOnly()) {
            queue.close();
            throw Files.isWritable(metadata())
                    ? damagedMetadata("has a header at 0 that Chronicle does not accept", RESTORE)
                    : failed("cannot be written, as " + metadata().getFileName() + " is not writable,", null);
        }
        writtenIn(FIRST_CYCLE);
        try {
            inMetadata(store -> {
                NUMBERS.forEach(number -> store.acquireValueFor(number, 0).close());
                freedPosition().close();
                storedEnd().close();
                return null;
            });
            writers = number(WRITERS);
            knownWriters = writers.getVolatileValue();
            history = TopicHistory.read(topic, directory);
            metadataKey = metadataKey();
        } catch (IOException | RuntimeException | InternalError e) {
            queue.close();
            throw e instanceof TransportException known ? known : failed("cannot be opened", e);
        }
    }

    /** Reserves the space of a new topic's metadata in an empty file, which Chronicle then fills. */
    private void reserveMetadata(DiskSpace space) throws IOException {
        Path metadata = metadata();
        if (Files.notExists(metadata)) {
            space.require(topic, METADATA_BYTES);
            if (!format.isKnown()) {
                return;
            }
            try {
                Files.createFile(metadata);
            } catch (FileAlreadyExistsException madeMeanwhile) {
                return;
            }
            space.reserve(topic, metadata.toFile(), 0, METADATA_BYTES);
        }
    }

    public static RollCycles rollCycle(ChronicleOptions.Roll roll) {
        return switch (roll) {
            case FIVE_MINUTELY -> RollCycles.FIVE_MINUTELY;
            case HOURLY -> RollCycles.FAST_HOURLY;
            case DAILY -> RollCycles.FAST_DAILY;
        };
    }

    /** Returns whether a frame has to be on the storage device before a writer confirms it. */
    public boolean syncs() {
        return device != Device.NONE;
    }

    /** Closes the queue. Called once, when it has no user any more. */
    public void close() {
        writers.close();
        queue.close();
    }

    /**
     * Checks that the directory is still this topic's: a new file must not be created in the directory of another topic
     * of this name, created after this one was deleted. Called by the writer before it begins a file.
     *
     * @throws TransportException when it is not
     */
    public void requireInPlace() {
        try {
            if (metadataKey().equals(metadataKey)) {
                return;
            }
        } catch (IOException e) {
            throw failed("cannot be written, as its metadata are gone", e);
        }
        throw failed("was deleted and created again while it was open: open it again; it is", null);
    }

    private Object metadataKey() throws IOException {
        return Files.readAttributes(metadata(), BasicFileAttributes.class).fileKey();
    }

    /**
     * Returns the history with all writers whose frames can be read. Costs one read of mapped memory, unless a writer of this
     * transport is open: no other one has written frames up to {@link #newest}.
     */
    public TopicHistory history() {
        if (newest != UNKNOWN) {
            return history;
        }
        long now = writers.getVolatileValue();
        if (now != knownWriters) {
            TopicHistory read = TopicHistory.read(topic, directory);
            history = read;
            knownWriters = now;
        }
        return history;
    }

    /** Begins a writer's incarnation, before it writes. Called with the writer's lock. */
    public TopicHistory beginWriter(String topology, long first) {
        TopicHistory begun = history.current(topic).begin(topic, topology, first, removed(), device);
        history = begun;
        knownWriters = Incarnation.count(begun.writers().newest().id());
        writers.setOrderedValue(knownWriters);
        return begun;
    }

    /** Returns the sequence up to which frames were freed, or deleted with their files; 0 for none. */
    private long removed() {
        return freed().sequence();
    }

    /** Sets the history that the writer has added to. */
    public void history(TopicHistory next) {
        history = next;
    }

    /**
     * Returns the newest sequence that a reader may find; {@link Long#MAX_VALUE} while no writer of this transport is
     * open.
     */
    public long newest() {
        return newest;
    }

    /** Sets the newest sequence. Called by the writer after the frames are in the queue. */
    public void newest(long sequence) {
        NEWEST.setRelease(this, sequence);
    }

    /** Clears the newest sequence when the writer closes, as another process may write from now on. */
    public void writerClosed() {
        newest = UNKNOWN;
    }

    /**
     * Sets the clock so that a new writer continues in the newest file or a later one, whatever clock its predecessor
     * had.
     */
    public void continueInNewestFile() {
        queue.refreshDirectoryListing();
        int newestCycle = queue.lastCycle();
        if (newestCycle != Integer.MIN_VALUE) { // there is a file
            writtenIn(newestCycle);
        }
    }

    /** Notes the newest file. Called by the writer when it has begun a file. */
    public void writtenIn(int cycle) {
        fileClock.newestFile(endMillis(cycle - 1));
    }

    /** Returns the time by the clock at which a file is full: the begin of the next one. */
    public long endMillis(int cycle) {
        return queue.epoch() + (cycle + 1L) * queue.rollCycle().lengthInMillis();
    }

    /** Returns the time that decides which file is written. */
    public long millis() {
        return fileClock.currentTimeMillis();
    }

    /**
     * Holds the clock, so that the file that is due stays the same until {@link #releaseClock}; returns the time, which
     * may step back.
     */
    public long holdClock() {
        return fileClock.hold();
    }

    /** Releases the clock. Called by the writer when it has appended, or failed to. */
    public void releaseClock() {
        fileClock.release();
    }

    /**
     * Returns one of the topic's own numbers in the queue's metadata, to be closed. Takes no lock, which costs four
     * system calls: it exists since the log was opened, and nothing in front of it changes.
     */
    public LongValue number(String key) {
        return queue.metaStore().acquireValueFor(key, 0);
    }

    /** The end of what was freed: the index of the oldest excerpt left, and the sequence before it; zeros for nothing. */
    public record Freed(long index, long sequence) {}

    /** Returns where a consumer starts that has read nothing. */
    public Freed freed() {
        try (StoredPosition freed = freedPosition()) {
            read(freed);
            return new Freed(freed.index(), freed.sequence());
        }
    }

    /** Opens the stored position of what was freed, to be closed. */
    public StoredPosition freedPosition() {
        return StoredPosition.open(
                (key, initial) -> queue.metaStore().acquireValueFor(key, initial), StoredMetadata.FREED, 0);
    }

    /** Opens the record of the newest stored sequence, see {@link StoredMetadata#END}; to be closed. */
    public StoredPosition storedEnd() {
        return StoredPosition.open(
                (key, initial) -> queue.metaStore().acquireValueFor(key, initial), StoredMetadata.END, 0);
    }

    /** Stores that the topic ends at a sequence, as its writer has stored it; called by the writer. */
    public void store(StoredPosition end, long sequence) {
        end.set(sequence, syncs() ? Boot.SYNCED : Boot.PRESENT);
    }

    /** Stores the same at the close of the writer, which leaves nothing that it has not stored. */
    public void storeAtClose(StoredPosition end, long sequence) {
        end.set(sequence, syncs() ? Boot.SYNCED_AND_CLOSED : Boot.PRESENT);
    }

    /**
     * Checks the end of the topic against the record of its writers.
     *
     * @param end read before the newest frame was looked for
     * @param newest sequence of that frame
     * @return the sequence that was stored and lost at a power failure that the writer did not promise to survive;
     *     otherwise 0
     * @throws DamagedTopicException when frames are gone that were stored and should have survived
     */
    public long lostEnd(StoredPosition end, long newest) {
        if (newest >= end.sequence()) {
            return 0;
        }
        if (Boot.keeps(end.index())) {
            throw new DamagedTopicException(
                    "topic " + topic + " in " + directory + " ends at sequence " + newest
                            + ", but its writer has stored "
                            + end.sequence()
                            + ": files were deleted, cut or replaced; restore them, or delete the topic"
                            + " if the messages are not needed",
                    true);
        }
        return end.sequence();
    }

    /**
     * Reads a stored position of the topic's own, of the key.
     *
     * @throws DamagedTopicException when no copy of it is whole
     */
    public void read(StoredPosition position, String key) {
        if (!position.read()) {
            throw damaged(key, RESTORE);
        }
    }

    /**
     * Reads the stored position of what was freed.
     *
     * @throws DamagedTopicException when no copy of it is whole
     */
    public void read(StoredPosition freed) {
        read(freed, StoredMetadata.FREED);
    }

    /** Returns the failure of a stored position of which no copy is whole. */
    public DamagedTopicException damaged(String key, String remedy) {
        return damagedMetadata(StoredPosition.damaged(key), remedy);
    }

    private DamagedTopicException damagedMetadata(String how, String remedy) {
        return new DamagedTopicException(
                "topic " + topic + " is damaged in " + directory + ": " + SingleChronicleQueue.QUEUE_METADATA_FILE + " "
                        + how + "; " + remedy,
                true);
    }

    /**
     * Reads or extends the queue's metadata, while no other thread or process does. May block: see {@link
     * DirectoryLocks#exclusively}.
     *
     * @throws TransportException when the metadata are gone, or others use them for too long
     */
    public <R> R inMetadata(Function<TableStore<?>, R> use) {
        return locks.exclusively(topic, () -> {
            if (Files.notExists(metadata())) {
                throw new TransportException("topic " + topic + " cannot be used in " + directory + ": "
                        + metadata().getFileName()
                        + " is gone, as the topic was deleted while it was opened; create it and open it again");
            }
            return use.apply(queue.metaStore());
        });
    }

    /** Returns the file of the queue's metadata. */
    public Path metadata() {
        return directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE);
    }

    /**
     * Syncs the queue's metadata. May block. Notes a failure, for the next writer.
     *
     * @param areMarked whether to write all of their pages, see {@link SyncedFile#markChanged}
     * @throws IOException when they may not be stored
     */
    public void syncMetadata(boolean areMarked) throws IOException {
        try {
            if (areMarked) {
                SyncedFile.markChanged(metadata());
            }
            SyncedFile.sync(metadata(), device);
        } catch (IOException e) {
            try (LongValue failed = number(SYNC_FAILED)) {
                failed.setVolatileValue(1);
            }
            throw e;
        }
    }

    /**
     * Copies an excerpt out of the queue.
     *
     * @throws DamagedTopicException when it has no frames of this layout
     */
    public Scratch copy(DocumentContext document, ScratchPool pool) {
        Bytes<?> bytes = document.wire().bytes();
        long length = bytes.readRemaining();
        if (length > Excerpt.LONGEST) {
            throw foreign(
                    document, "it has " + length + " bytes, an excerpt of frames at most " + Excerpt.LONGEST, true);
        }
        Scratch scratch = pool.take(Math.max((int) length, Excerpt.FIRST_FRAME));
        scratch.fill(bytes, (int) length);
        String defect = Excerpt.defect(scratch.buffer, (int) length, scratch.crc);
        if (defect != null) {
            pool.give(scratch);
            throw foreign(document, defect, false);
        }
        return scratch;
    }

    /** Returns whether an excerpt was written by another program. */
    boolean isForeign(DocumentContext document, ScratchPool pool) {
        Bytes<?> bytes = document.wire().bytes();
        int length = (int) Math.min(bytes.readRemaining(), Excerpt.FIRST_FRAME + Frame.HEADER_BYTES);
        Scratch scratch = pool.take(Math.max(length, Excerpt.FIRST_FRAME));
        long start = bytes.readPosition();
        try {
            scratch.fill(bytes, length);
            return Excerpt.isForeign(scratch.buffer, length);
        } finally {
            bytes.readPosition(start);
            pool.give(scratch);
        }
    }

    private DamagedTopicException foreign(DocumentContext document, String defect, boolean isEnd) {
        return new DamagedTopicException(
                "topic " + topic + " in " + directory + " holds an excerpt that is no batch of frames," + " at index 0x"
                        + Long.toHexString(document.index()) + ": " + defect + "; " + RESTORE,
                isEnd);
    }

    /** Returns the failure of an excerpt that repeats sequences of an earlier one. */
    public DamagedTopicException repeated(DocumentContext document, long first, long newest) {
        return new DamagedTopicException(
                "topic " + topic + " in " + directory + " was written by two processes at once: at index 0x"
                        + Long.toHexString(document.index()) + " sequence " + first + " comes after " + newest
                        + "; the first frame of each sequence counts",
                false);
    }

    /** Returns the refusal because of a live writer or reader, with topic and directory. */
    public OccupiedException occupied(String what) {
        return new OccupiedException("topic " + topic + " " + what + " in " + directory);
    }

    /** Returns a failure of the environment, with topic and directory. */
    public TransportException failed(String what, Throwable cause) {
        String why = cause == null ? "" : ": " + (isOfHeader(cause) ? damagedHeader(cause) : cause);
        return new TransportException(
                "topic " + topic + " " + what + " in " + directory + why + FileFailure.remedy(cause), cause);
    }

    /** Returns whether the library could not read the header of a queue file. It does not tell which. */
    private static boolean isOfHeader(Throwable cause) {
        return cause instanceof IORuntimeException && !(root(cause) instanceof IOException);
    }

    private static String damagedHeader(Throwable cause) {
        return "the header at 0 of one of its queue files (*" + SingleChronicleQueue.SUFFIX + ") is damaged ("
                + String.valueOf(root(cause).getMessage()).lines().findFirst().orElse("")
                + "). Restore the files, or delete the topic if no message in it is needed";
    }

    private static Throwable root(Throwable thrown) {
        return thrown.getCause() == null ? thrown : root(thrown.getCause());
    }
}
