package dev.baton.chronicle.format;

import dev.baton.spi.errors.DamagedTopicException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * The check of a topic's files before Chronicle maps them. A wrong place or length makes Chronicle wait for ever,
 * allocate gigabytes, read something else than an excerpt, or end the JVM by an access behind a mapped file's end; here
 * it leads to a message.
 *
 * <p>At the opening of a topic it covers the metadata, the header and the index of each file, and the documents from
 * the last indexed one on, where a writer begins. At the opening of a reader it covers the lengths of all documents
 * that the reader has not read yet. The content of a document is checked when it is read. Damage that happens while a
 * topic is open is not found here.
 *
 * <p>A writer of another process may free excerpts while they are checked, where zeros are then found. It stores first up to
 * where it frees, so a defect counts only if that has not moved since the check began. Confined to one thread.
 */
final class QueueCheck {
    /**
     * The number of attempts: one may run between two writes of another process; a defect that every attempt finds is
     * real.
     */
    private static final int ATTEMPTS = 3;

    /** The checks of one file that are repeated as the writer has freed excerpts meanwhile, so that damage is reported at last. */
    private static final int MOST_FREEINGS = 100;

    private final String topic;
    private final Path directory;
    private final Freed freedIndex;
    private long freed; // the oldest index left, read before the files, and again where one has a defect

    private QueueCheck(String topic, Path directory, Freed freedIndex) {
        this.topic = topic;
        this.directory = directory;
        this.freedIndex = freedIndex;
    }

    /** The source of the oldest index left, 0 if nothing was freed; tests have one that moves. */
    interface Freed {
        long index(Path directory) throws IOException, FileDefect;
    }

    /** The check of one file. */
    private interface FileCheck {
        void run() throws IOException, FileDefect;
    }

    /** Checks a topic before its queue is opened. */
    static void beforeOpening(String topic, Path directory) throws IOException {
        beforeOpening(topic, directory, StoredMetadata::freedIndex);
    }

    static void beforeOpening(String topic, Path directory, Freed freed) throws IOException {
        QueueCheck check = new QueueCheck(topic, directory, freed);
        check.retry(directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE), check::metadata);
        List<Path> files = QueueFiles.in(directory);
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            boolean isNewest = i == files.size() - 1;
            check.retry(file, () -> check.file(file, isNewest));
        }
    }

    /** Checks the part of a topic from an index on, 0 for the oldest left, before a reader moves there. */
    static void beforeReading(String topic, Path directory, long index) throws IOException {
        beforeReading(topic, directory, index, StoredMetadata::freedIndex);
    }

    static void beforeReading(String topic, Path directory, long index, Freed freed) throws IOException {
        QueueCheck check = new QueueCheck(topic, directory, freed);
        List<Path> files = QueueFiles.in(directory);
        if (!files.isEmpty()) {
            check.retry(directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE), check::readFreed);
        }
        Path first = index == 0 ? null : QueueFiles.of(directory, index);
        for (Path file : files) {
            if (first == null || file.compareTo(first) >= 0) {
                long from = file.equals(first) ? QueueFiles.number(file, index) : 0;
                check.retry(file, () -> check.walk(file, from));
            }
        }
    }

    private void retry(Path file, FileCheck single) throws IOException {
        int attempt = 1;
        for (int freeings = 0; ; ) {
            try {
                single.run();
                return;
            } catch (NoSuchFileException deletedMeanwhile) {
                return;
            } catch (UncheckedIOException failed) {
                throw failed.getCause();
            } catch (FileDefect defect) {
                if (freeings < MOST_FREEINGS && hasFreed()) {
                    freeings++;
                    continue;
                }
                if (attempt++ == ATTEMPTS) {
                    throw new DamagedTopicException(
                            "topic " + topic + " is damaged in " + directory + ": " + file.getFileName() + " "
                                    + defect.getMessage()
                                    + "; restore the topic's files, or delete the topic. 'baton verify' shows what is"
                                    + " damaged",
                            true,
                            defect);
                }
                Thread.onSpinWait();
            }
        }
    }

    private void readFreed() throws IOException, FileDefect {
        freed = freedIndex.index(directory);
    }

    /** Returns whether the writer has freed excerpts since this was read last. */
    private boolean hasFreed() throws IOException {
        long before = freed;
        try {
            readFreed();
        } catch (FileDefect reportedByTheCheck) {
            return false;
        }
        return freed != before;
    }

    private void metadata() throws IOException, FileDefect {
        readFreed();
        if (freed < 0 || freed != 0 && QueueFiles.of(directory, freed) == null && !isDeleted(freed)) {
            throw new FileDefect(
                    "its " + StoredMetadata.FREED + ".index is " + freed + ", an index in no file that is left");
        }
    }

    /** Returns whether the file of an index and all older ones are deleted, and others are left. */
    private boolean isDeleted(long index) throws IOException {
        List<Path> left = QueueFiles.in(directory);
        return !left.isEmpty() && QueueFiles.isOlder(index, left.get(0));
    }

    private void file(Path file, boolean isNewest) throws IOException, FileDefect {
        Path oldest = freed == 0 ? null : QueueFiles.of(directory, freed);
        try (ExcerptScan scan = new ExcerptScan(file).shallow()) {
            if (oldest != null && file.compareTo(oldest) < 0) {
                return;
            }
            long gone = file.equals(oldest) ? QueueFiles.number(file, freed) : 0;
            long indexed = scan.checkIndex(gone);
            if (!isNewest && !scan.isMade()) {
                throw new FileDefect("has no header, and newer files follow: it never held a frame, delete it");
            }
            if (!QueueFiles.isNamed(file)) {
                throw new FileDefect("is named like no file of a topic; move it away");
            }
            if (!isNewest) {
                return;
            }
            if (indexed >= gone && indexed >= 0) {
                scan.goTo(indexed);
            }
            long number = Math.max(indexed, 0);
            while (scan.next()) {
                scan.checkNumber(number++);
            }
        }
    }

    private void walk(Path file, long from) throws IOException, FileDefect {
        Path oldest = freed == 0 ? null : QueueFiles.of(directory, freed);
        try (ExcerptScan scan = new ExcerptScan(file).shallow()) {
            if (oldest != null && file.compareTo(oldest) < 0) {
                return;
            }
            long number = file.equals(oldest) ? Math.max(from, QueueFiles.number(file, freed)) : from;
            if (number > 0 && scan.checkIndex(number) >= 0) {
                scan.goTo(scan.indexedBefore(number));
            }
            while (scan.next()) {
                // every document up to the end
            }
        }
    }
}
