package dev.baton.chronicle.writing;

import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.consumers.Backlog;
import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.QueueFiles;
import dev.baton.chronicle.format.StoreHeader;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.DiskSpace;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.MappedBytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.Wire;

/**
 * The file that a writer appends to: takes its space, maps its blocks, syncs it, and frees what was read. Confined to
 * the writer's thread.
 */
final class TopicFile {
    private final ExcerptAppender appender;
    private final MappedBlocks blocks;
    private final SpaceReclaimer reclaimer; // null: everything is kept
    private final ReservedSpace reserved;
    private final TopicLog log;
    private final TopicSync sync; // null: nothing is synced
    private MappedBytes bytes;
    private File file;
    private long cycleEndMillis = Long.MIN_VALUE; // when the next file is due, by the log's clock
    private long roomTo; // position up to which an excerpt may end without more space being reserved
    private long quietTo; // length of the file below which no page is touched and no block mapped
    private long next; // index of the next excerpt, if it is written in the same file
    private long full = Long.MAX_VALUE; // the least index for which that file's own index has no room

    /**
     * Creates the file of an appender that has not written yet; {@code sync} is null where nothing is synced, and is
     * closed with this.
     */
    public TopicFile(
            TopicLog log,
            ExcerptAppender appender,
            Backlog backlog,
            DiskSpace space,
            TopicSync sync,
            ChronicleOptions options) {
        this.log = log;
        this.sync = sync;
        this.appender = appender;
        blocks = new MappedBlocks(log, options.get(ChronicleOptions.BLOCK_SIZE));
        reclaimer = options.get(ChronicleOptions.RETENTION) == ChronicleOptions.Retention.ALL
                ? null
                : new SpaceReclaimer(log, backlog, sync);
        reserved = new ReservedSpace(log, space, options, blocks.share());
        long last = log.queue.lastIndex();
        if (last >= 0) {
            next = last + 1;
            full = fullIndex(last);
        }
    }

    /** Returns the index behind all that the file of an index has room for; its index pages have the layout that it was made with. */
    private long fullIndex(long index) {
        Path of = log.format.isKnown() ? QueueFiles.of(log.directory, index) : null;
        if (of == null) {
            return Long.MAX_VALUE;
        }
        try {
            StoreHeader header = StoreHeader.of(of);
            long excerpts = (long) header.indexCount() * header.indexCount() * header.indexSpacing();
            return index - log.queue.rollCycle().toSequenceNumber(index) + excerpts;
        } catch (IOException | UncheckedIOException | FileDefect e) {
            throw log.failed("cannot be written: " + of.getFileName(), e);
        }
    }

    /**
     * Takes the space for an excerpt, before it is appended.
     *
     * @throws dev.baton.spi.errors.TransportException when there is none; nothing has been written then
     */
    public void makeRoomFor(int excerptBytes) {
        Wire wire = appender.wire();
        if (next >= full && log.queue.rollCycle().toCycle(next - 1) == log.queue.cycle()) {
            throw log.failed(
                    "cannot be written before its next file begins, as the index of the present one is full; use a"
                            + " larger index-count or index-spacing, or a shorter roll, for the next files. All stored"
                            + " frames are complete",
                    null);
        }
        boolean isDue = log.millis() >= cycleEndMillis && (wire == null || appender.cycle() != log.queue.cycle());
        if (isDue) {
            log.requireInPlace();
            reserved.requireNewFile();
            return;
        }
        MappedBytes current = (MappedBytes) wire.bytes();
        long position = current.writePosition();
        if (current != bytes || position + excerptBytes > roomTo) {
            reserved.require(current == bytes ? file : current.mappedFile().file(), position, excerptBytes);
            roomTo = current == bytes ? reserved.roomTo() : 0;
        }
    }

    /** Notes an excerpt that was appended. */
    public void appended(long firstSequence) {
        MappedBytes current = (MappedBytes) appender.wire().bytes();
        boolean isOther = current != bytes;
        if (isOther) {
            bytes = current;
            file = current.mappedFile().file();
            cycleEndMillis = log.endMillis(appender.cycle());
            roomTo = 0;
            quietTo = 0;
            blocks.clear();
            log.writtenIn(appender.cycle());
            full = fullIndex(appender.lastIndexAppended());
            if (sync != null) {
                sync.writtenIn(file);
            }
        }
        next = appender.lastIndexAppended() + 1;
        long end = current.writePosition();
        if (reclaimer != null) {
            reclaimer.appended(file, appender.lastIndexAppended(), firstSequence, end);
            if (isOther) {
                reclaimer.deleteReadFiles(); // files may be shorter than the block at whose end space is freed
            }
        }
        if (end >= quietTo) {
            blocks.touchAhead(current, end, reserved.end(file));
            if (blocks.isDue(end)) {
                long block = blocks.advance(current, end, reserved.end(file));
                if (reclaimer != null && block > 0) {
                    reclaimer.free(block); // below it nothing stays mapped
                }
            }
            quietTo = blocks.quietTo();
        }
    }

    /**
     * Returns when all excerpts of a flush are as durable as the options require.
     *
     * @throws dev.baton.spi.errors.TransportException when they may not be
     */
    void sync() {
        if (sync != null) {
            sync.sync();
        }
    }

    /** Syncs the topic's metadata, if the options require it. */
    void syncPositions() {
        if (sync != null) {
            sync.syncPositions();
        }
    }

    public void close() {
        blocks.clear();
        if (reclaimer != null) {
            reclaimer.close();
        }
        if (sync != null) {
            sync.close();
        }
    }
}
