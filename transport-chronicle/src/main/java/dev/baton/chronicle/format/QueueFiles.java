package dev.baton.chronicle.format;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/** The files of a topic, whose names are times: the order of names is that of ages. Stateless. */
public final class QueueFiles {
    /** The roll cycles that topics can have. */
    static final List<RollCycle> ROLL_CYCLES =
            List.of(RollCycles.FIVE_MINUTELY, RollCycles.FAST_HOURLY, RollCycles.FAST_DAILY);

    private QueueFiles() {}

    /**
     * {@return the present files of a topic, the oldest first}
     *
     * @throws IOException when the directory cannot be read, or has a queue file that is not regular
     */
    public static List<Path> in(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = stream(directory)) {
            for (Path file : found) {
                if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                    throw new IOException(file.getFileName() + " is no regular file");
                }
                files.add(file);
            }
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        Collections.sort(files);
        return files;
    }

    /**
     * Returns the present files in any order. A pattern in place of the filter would be compiled anew for each
     * directory.
     */
    static DirectoryStream<Path> stream(Path directory) throws IOException {
        return Files.newDirectoryStream(
                directory, file -> file.getFileName().toString().endsWith(SingleChronicleQueue.SUFFIX));
    }

    /** {@return the file that holds an index under one of the roll cycles that topics can have; null for none} */
    public static Path of(Path directory, long index) {
        for (RollCycle cycle : ROLL_CYCLES) {
            if (isIndex(cycle, index)) {
                Path file = directory.resolve(name(cycle, cycle.toCycle(index)) + SingleChronicleQueue.SUFFIX);
                if (Files.exists(file)) {
                    return file;
                }
            }
        }
        return null;
    }

    /** {@return whether the file of an index under the roll cycle of another file would be older than that one} */
    static boolean isOlder(long index, Path file) {
        String name = file.getFileName().toString();
        for (RollCycle cycle : ROLL_CYCLES) {
            if (isNamed(file, cycle)
                    && isIndex(cycle, index)
                    && (name(cycle, cycle.toCycle(index)) + SingleChronicleQueue.SUFFIX).compareTo(name) < 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a roll cycle can have an index, which a value of damaged metadata may not be. */
    private static boolean isIndex(RollCycle cycle, long index) {
        return index >= 0 && index <= cycle.toIndex(Integer.MAX_VALUE, -1);
    }

    /** {@return the number within its file of the excerpt with an index; 0 when the file is another one's} */
    public static long number(Path file, long index) {
        for (RollCycle cycle : ROLL_CYCLES) {
            if (file.getFileName().toString().equals(name(cycle, cycle.toCycle(index)) + SingleChronicleQueue.SUFFIX)) {
                return cycle.toSequenceNumber(index);
            }
        }
        return 0;
    }

    /** {@return whether the name of a file is one that a roll cycle of topics gives} */
    static boolean isNamed(Path file) {
        for (RollCycle cycle : ROLL_CYCLES) {
            if (isNamed(file, cycle)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNamed(Path file, RollCycle cycle) {
        String pattern = cycle.format().replace("'", "").replaceAll("[a-zHM]", "[0-9]");
        return file.getFileName().toString().matches(pattern + "[.]cq4");
    }

    private static String name(RollCycle cycle, int number) {
        return DateTimeFormatter.ofPattern(cycle.format(), Locale.ROOT)
                .withZone(ZoneOffset.UTC)
                .format(Instant.ofEpochMilli((long) number * cycle.lengthInMillis()));
    }
}
