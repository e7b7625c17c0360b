package dev.baton.chronicle.admin;

import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.directory.TopicHistory;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.ExcerptScan;
import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.QueueFiles;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.platform.Boot;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import dev.baton.spi.support.ThreadConfinement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * The inspection of a topic by its files, without Chronicle: nothing is opened for writing, mapped, locked or repaired,
 * and damage leads to a message. Frames that the writer has freed are gone: reading begins, and where the writer has
 * freed further continues, at the oldest excerpt left. Confined to the thread that made it, but for {@link #close}.
 */
public final class FileInspector implements TopicInspector {
    /** The frames from one reading of the history to the next, where the end is not known. */
    private static final int HISTORY_EVERY = 1024;

    /** The number of readings of the metadata, which consumers may be changing. */
    private static final int ATTEMPTS = 100;

    private final String topic;
    private final Path directory;
    private final ThreadConfinement confinement;
    private final Frame view = new Frame();

    private ExcerptScan scan; // null before the first file
    private Path newer; // the file after the scan's, seen when that was at its end
    private boolean isTorn; // what follows was not confirmed when the power failed
    private long reported; // an index that leads nowhere, and was reported
    private TopicHistory history; // null before it is needed
    private long historyBytes; // when it was read
    private int left; // frames of the excerpt not yet taken
    private int frame; // the first of these
    private long sequence; // of that one
    private Incarnation writer; // of the frame handed over last
    private long lastOfWriter; // the last sequence that is known to be its

    public FileInspector(String topic, Path directory) {
        this.topic = topic;
        this.directory = directory;
        confinement = new ThreadConfinement("this inspector of topic '" + topic + "'");
    }

    @Override
    public int read(FrameHandler handler, int limit) {
        confinement.check();
        if (limit < 1) {
            throw new IllegalArgumentException("limit is " + limit + ", it must be at least 1");
        }
        boolean wasInterrupted =
                Thread.interrupted(); // it would close the file; as Interrupts.without, which would allocate
        try {
            return readFrames(handler, limit);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int readFrames(FrameHandler handler, int limit) {
        int taken = 0;
        try {
            while (taken < limit && (left > 0 || nextExcerpt())) {
                if (sequence > lastOfWriter) {
                    notifyOfWriter(handler);
                }
                int length = Excerpt.length(scan.excerpt(), frame);
                view.wrap(scan.excerpt(), frame, length);
                long carried = view.sequence();
                if (carried == sequence && handler.onFrame(view, sequence) == Verdict.RETRY) {
                    return taken;
                }
                taken++;
                sequence++;
                left--;
                if (left > 0) {
                    frame = Excerpt.nextFrame(Excerpt.end(frame, length));
                }
                if (carried != sequence - 1) {
                    throw damaged(
                            "at " + scan.begin() + ": a frame has sequence " + carried + " where its excerpt has "
                                    + (sequence - 1),
                            null);
                }
            }
            return taken;
        } catch (IOException | UncheckedIOException failed) {
            throw unreadable(failed);
        }
    }

    /**
     * Finds the writer of the next frame. The newest one is known up to the topic's end, as the history names a writer
     * before its first frame. A history that cannot be read leaves it unknown; the opening of the topic reports that.
     */
    private void notifyOfWriter(FrameHandler handler) throws IOException {
        long end;
        try {
            end = Math.max(sequence, newest());
        } catch (DamagedTopicException reportedWhereItIsRead) {
            end = sequence + HISTORY_EVERY;
        }
        TopicHistory known;
        try {
            known = history();
        } catch (TransportException unreadable) {
            known = null;
        }
        Incarnation met = known == null ? null : known.writers().at(sequence);
        lastOfWriter = known == null ? end : Math.min(end, known.writers().lastOf(sequence));
        if (met != null && !met.equals(writer)) {
            writer = met;
            handler.onWriter(met);
        }
    }

    /** Reads the next excerpt, in place of its frames one by one; returns false at the end. */
    boolean nextExcerpt() throws IOException {
        while (!isTorn && (scan != null || begin())) {
            try {
                if (scan.next()) {
                    newer = null;
                    sequence = Excerpt.firstSequence(scan.excerpt(), 0);
                    left = Excerpt.frames(scan.excerpt(), 0);
                    frame = Excerpt.FIRST_FRAME;
                    return true;
                }
                if (!skipFreed() && !nextFile()) {
                    return false;
                }
            } catch (FileDefect defect) {
                if (!skipFreed()) {
                    isTorn = Math.max(1, sequence) > confirmedBeforeTornTail();
                    if (!isTorn) {
                        throw damaged(defect.getMessage(), defect);
                    }
                }
            }
        }
        return false;
    }

    /**
     * Returns the newest sequence that is known to be confirmed where a power failure may have left a part of later ones, which
     * the next opening removes; otherwise {@link Long#MAX_VALUE}.
     */
    private long confirmedBeforeTornTail() throws IOException {
        try {
            StoredPosition.Value end =
                    StoredMetadata.positions(directory, StoredMetadata.END).get(StoredMetadata.END);
            if (end == null || !Boot.mayHaveTorn(end.index())) {
                return Long.MAX_VALUE;
            }
            StoredPosition.Value freed =
                    StoredMetadata.positions(directory, StoredMetadata.FREED).get(StoredMetadata.FREED);
            return freed == null ? end.sequence() : Math.max(end.sequence(), freed.sequence());
        } catch (FileDefect reportedWhereConsumersAreRead) {
            return Long.MAX_VALUE;
        }
    }

    private boolean begin() throws IOException {
        List<Path> files = QueueFiles.in(directory);
        if (files.isEmpty() || !open(files.get(0))) {
            return false;
        }
        skipFreed();
        return true;
    }

    private boolean open(Path file) throws IOException {
        try {
            ExcerptScan next = new ExcerptScan(file);
            close(scan);
            scan = next;
            return true;
        } catch (NoSuchFileException deletedMeanwhile) {
            return false;
        }
    }

    /**
     * Moves to the next file, if there is one, after one more reading of this one, to which the writer may have
     * appended since.
     */
    private boolean nextFile() throws IOException, FileDefect {
        if (newer == null) {
            for (Path file : QueueFiles.in(directory)) {
                if (file.compareTo(scan.path()) > 0) {
                    newer = file;
                    return true;
                }
            }
            return false;
        }
        Path next = newer;
        newer = null;
        scan.leave();
        return open(next) || nextFile();
    }

    /** Returns whether the next excerpt has been freed; then the scan is moved to the oldest one left. */
    private boolean skipFreed() throws IOException {
        long oldest = oldestIndex();
        Path file = oldest == 0 || oldest == reported ? null : QueueFiles.of(directory, oldest);
        if (file == null || file.compareTo(scan.path()) < 0) {
            return false;
        }
        ExcerptScan oldestLeft = null;
        try {
            oldestLeft = new ExcerptScan(file);
            oldestLeft.goTo(QueueFiles.number(file, oldest));
        } catch (NoSuchFileException freedFurther) {
            return skipFreed();
        } catch (FileDefect defect) {
            close(oldestLeft);
            reported = oldest;
            throw damaged(file, defect.getMessage(), false, defect);
        }
        if (file.equals(scan.path()) && oldestLeft.position() <= scan.position()) {
            oldestLeft.close();
            return false;
        }
        close(scan);
        scan = oldestLeft;
        newer = null;
        return true;
    }

    /** Returns the index of the oldest excerpt left; damaged metadata are reported when consumers are read. */
    private long oldestIndex() throws IOException {
        try {
            return StoredMetadata.freedIndex(directory);
        } catch (FileDefect damaged) {
            return 0;
        }
    }

    @Override
    public long newestSequence() {
        confinement.check();
        return Interrupts.without(this::newest);
    }

    private long newest() {
        try {
            long stored = storedEnd(); // read first: the writer stores it behind its frames
            return Math.max(stored, newestInFiles());
        } catch (IOException | UncheckedIOException failed) {
            throw unreadable(failed);
        }
    }

    /** Returns the newest sequence that was stored by the record of the topic's writer and has to be there; 0 for none. */
    private long storedEnd() throws IOException {
        try {
            StoredPosition.Value end =
                    StoredMetadata.positions(directory, StoredMetadata.END).get(StoredMetadata.END);
            return end == null || !Boot.keeps(end.index()) ? 0 : end.sequence();
        } catch (FileDefect reportedWhereConsumersAreRead) {
            return 0;
        }
    }

    private long newestInFiles() throws IOException {
        List<Path> files = QueueFiles.in(directory);
        for (int i = files.size() - 1; i >= 0; i--) {
            long newest = newestIn(files.get(i));
            if (newest > 0) {
                return newest;
            }
        }
        return 0;
    }

    private long newestIn(Path file) throws IOException {
        long newest = 0;
        try (ExcerptScan last = new ExcerptScan(file)) {
            if (last.goToLast()) {
                while (last.next()) {
                    newest = Excerpt.firstSequence(last.excerpt(), 0) + Excerpt.frames(last.excerpt(), 0) - 1;
                }
            }
        } catch (NoSuchFileException deletedMeanwhile) {
            return 0;
        } catch (FileDefect defect) {
            long confirmed = confirmedBeforeTornTail();
            if (confirmed == Long.MAX_VALUE) {
                throw damaged(file, defect.getMessage(), false, defect);
            }
            return Math.max(newest, confirmed);
        }
        return newest;
    }

    @Override
    public Map<String, Long> acknowledged() {
        confinement.check();
        Map<String, Long> sequences = new TreeMap<>();
        Interrupts.without(this::positions).forEach((key, position) -> {
            if (!TailerPosition.isForgotten(position.sequence())) {
                sequences.put(TailerPosition.consumer(key), Math.max(0, position.sequence()));
            }
        });
        return sequences;
    }

    /** Returns the input by the topic's history. */
    @Override
    public InputRef inputOf(long read) {
        confinement.check();
        return Interrupts.without(() -> inputByHistory(read));
    }

    private InputRef inputByHistory(long read) {
        try {
            TopicHistory known = history();
            return known == null ? InputRef.UNKNOWN : known.inputOf(read);
        } catch (IOException failed) {
            throw unreadable(failed);
        }
    }

    /** Returns the history, read again when it has grown; null where there is none. */
    private TopicHistory history() throws IOException {
        Path file = directory.resolve(TopicHistory.FILE);
        long bytes = Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : 0;
        if (bytes > 0 && bytes != historyBytes) {
            history = TopicHistory.look(topic, directory);
            historyBytes = bytes;
        }
        return history;
    }

    private Map<String, StoredPosition.Value> positions() {
        try {
            for (int attempt = 1; ; attempt++) {
                try {
                    return StoredMetadata.positions(directory, TailerPosition.PREFIX);
                } catch (FileDefect defect) { // or read between two writes of a consumer
                    if (attempt == ATTEMPTS) {
                        Path file = directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE);
                        throw damaged(file, defect.getMessage(), true, defect);
                    }
                }
            }
        } catch (IOException | UncheckedIOException failed) {
            throw unreadable(failed);
        }
    }

    private DamagedTopicException damaged(String what, Throwable cause) {
        return damaged(scan.path(), what, false, cause);
    }

    private DamagedTopicException damaged(Path file, String what, boolean isEnd, Throwable cause) {
        return new DamagedTopicException(
                "topic " + topic + " is damaged in " + directory + ": " + file.getFileName() + " " + what,
                isEnd,
                cause);
    }

    private TransportException unreadable(Exception failed) {
        return new TransportException(
                "topic " + topic + " cannot be read in " + directory + ": " + FileFailure.reason(failed), failed);
    }

    private static void close(ExcerptScan scan) {
        if (scan != null) {
            scan.close();
        }
    }

    @Override
    public void close() {
        if (confinement.release()) {
            left = 0;
            close(scan);
            scan = null;
        }
    }
}
