package dev.baton.chronicle.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.table.SingleTableStore;

/**
 * Files whose making a crash has cut short. Chronicle marks a file as whole by writing its first four bytes last; it
 * refuses metadata without the mark for ever, and waits for that of a queue file at every poll until it gives up.
 *
 * <p>Metadata are blanked, so that Chronicle makes them anew, while its own lock on them says that no process makes them. Of
 * the queue files only the newest can be half made, and only by the topic's writer: the holder of that right deletes
 * it. Neither has ever held a frame. Stateless.
 */
final class HalfMadeFiles {
    private static final int MARK_BYTES = Integer.BYTES;

    private HalfMadeFiles() {}

    /** Blanks metadata whose making was cut short, before a queue is opened. */
    static void blankMetadata(Path directory) throws IOException {
        Path metadata = directory.resolve(SingleChronicleQueue.QUEUE_METADATA_FILE);
        // an empty mark is no obstacle there
        if (Files.exists(metadata) && mark(metadata) < 0) {
            SingleTableStore.doWithExclusiveLock(metadata.toFile(), HalfMadeFiles::blank, () -> metadata);
        }
    }

    /** Whether the newest queue file is half made, by a live writer or by one that has died. */
    static boolean isNewestHalfMade(Path directory) throws IOException {
        return newestHalfMade(directory) != null;
    }

    /**
     * Deletes the newest queue file if it is half made. The caller has the topic's writer lock.
     *
     * @return whether there was one
     */
    static boolean deleteNewest(Path directory) throws IOException {
        Path halfMade = newestHalfMade(directory);
        return halfMade != null && Files.deleteIfExists(halfMade);
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

    /** Zero where nothing is written yet, negative while a process writes it or has died over it. */
    private static int mark(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return mark(channel);
        } catch (NoSuchFileException deletedMeanwhile) {
            return 0;
        }
    }

    private static int mark(FileChannel file) throws IOException {
        ByteBuffer mark = ByteBuffer.allocate(MARK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        file.read(mark, 0);
        return mark.getInt(0);
    }

    /** Called with the lock, which goes with the first channel on the file that closes: so one channel looks and writes. */
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
