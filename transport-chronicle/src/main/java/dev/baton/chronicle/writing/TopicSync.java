package dev.baton.chronicle.writing;

import dev.baton.chronicle.format.QueueFiles;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.SyncedFile;
import dev.baton.spi.errors.TransportException;
import java.io.File;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import net.openhft.chronicle.core.values.LongValue;

/**
 * The sync of a topic to the storage device, with {@code durability=host}: of every block that a flush touched, the header
 * and the index pages of the file, the end mark of the file before, and the entries that an open needs to find a new
 * file.
 *
 * <p>A sync that fails is noted in the topic's metadata. The operating system treats the pages that it could not write
 * as stored from then on, so that a later sync would succeed without them; the next writer has them all written again.
 * The note need not survive a power failure, which leaves only what is stored. Confined to the writer's thread.
 */
final class TopicSync implements AutoCloseable {
    private final TopicLog log;
    private final LongValue failed;
    private final SyncedFile metadata;
    private SyncedFile file; // null before the first excerpt
    private boolean isNew; // the file was begun or found since the last sync

    /**
     * Syncs all files of the topic, as a new writer confirms the frames of all earlier ones.
     *
     * @throws TransportException when that fails
     */
    TopicSync(TopicLog log) {
        this.log = log;
        failed = log.number(TopicLog.SYNC_FAILED);
        boolean isSynced = false;
        try {
            syncAll();
            metadata = SyncedFile.open(log.metadata(), log.device);
            isSynced = true;
        } catch (IOException e) {
            throw failed(e);
        } finally {
            if (!isSynced) {
                failed.close();
            }
        }
    }

    /**
     * Syncs the files of a topic as they are now, so that the sync of its next writer has little left. Thread-safe.
     *
     * @throws TransportException when that fails, which is noted for that writer
     */
    static void prepare(TopicLog log) {
        try {
            for (Path queueFile : QueueFiles.in(log.directory)) {
                syncOnce(log, queueFile, false);
            }
        } catch (IOException e) {
            try (LongValue failed = log.number(TopicLog.SYNC_FAILED)) {
                throw failed(log, failed, e);
            }
        }
    }

    private void syncAll() throws IOException {
        boolean hasFailed = failed.getVolatileValue() != 0;
        for (Path queueFile : QueueFiles.in(log.directory)) {
            syncOnce(log, queueFile, hasFailed);
        }
        failed.setVolatileValue(0);
        log.syncMetadata(hasFailed);
        SyncedFile.sync(log.directory, log.device);
        SyncedFile.sync(log.directory.getParent(), log.device);
    }

    private static void syncOnce(TopicLog log, Path path, boolean hasFailed) throws IOException {
        try {
            if (hasFailed) {
                SyncedFile.markChanged(path);
            }
            SyncedFile.sync(path, log.device);
        } catch (NoSuchFileException deletedMeanwhile) {
            // by retention, or by a user
        }
    }

    /** Opens the file of the writer's first excerpt in it; the file before ends there. */
    void writtenIn(File next) {
        try {
            if (file == null) {
                syncBefore(next.toPath());
            } else {
                file.sync();
                file.close();
            }
            file = SyncedFile.open(next.toPath(), log.device);
            isNew = true;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Syncs the file before, where Chronicle may have set the end mark that a dead writer left out. */
    private void syncBefore(Path next) throws IOException {
        Path before = null;
        for (Path queueFile : QueueFiles.in(log.directory)) {
            before = queueFile.getFileName().compareTo(next.getFileName()) < 0 ? queueFile : before;
        }
        if (before != null) {
            syncOnce(log, before, false);
        }
    }

    /** Syncs the file. Called when all excerpts of a flush are in their files. */
    void sync() {
        try {
            file.sync();
            if (isNew) {
                SyncedFile.sync(log.directory, log.device);
                isNew = false;
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Syncs the positions of consumers. Called before acknowledged frames are removed: an older position would then
     * lead nowhere. Takes no lock, on which another process would let the writer wait.
     */
    void syncPositions() {
        try {
            metadata.sync();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private TransportException failed(IOException e) {
        return failed(log, failed, e);
    }

    private static TransportException failed(TopicLog log, LongValue failed, IOException e) {
        failed.setVolatileValue(1);
        return log.failed("cannot be synced to its storage device, what was not confirmed may be lost,", e);
    }

    @Override
    public void close() {
        failed.close();
        try {
            try {
                metadata.close();
            } finally {
                if (file != null) {
                    file.close();
                }
            }
        } catch (IOException e) {
            throw log.failed("cannot be closed", e);
        }
    }
}
