package dev.baton.aeron.ipc;

import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One writer of a topic, a line of the file that lists them. Each takeover adds a file of its own. Immutable, thread-safe.
 *
 * @param first sequence of its first frame
 * @param begin log position at which the log begins that it writes; writers of one process may share a log
 * @param before log position behind the last frame of the writer before it: what that one wrote later does not count
 * @param writer its incarnation
 */
record WriterEntry(long first, long begin, long before, Incarnation writer) {
    /** Begins the names of the files. */
    static final String PREFIX = "writers-";

    private static final char SEPARATOR = ' ';
    private static final int PARTS = 4;

    /**
     * Returns the writers in a list of a topic, the oldest first; null when there is no such list any more.
     *
     * @param number of the list; 0 for the empty one
     */
    static List<WriterEntry> read(Path topic, int number) {
        return Interrupts.without(() -> readNow(topic, number));
    }

    private static List<WriterEntry> readNow(Path topic, int number) {
        try {
            List<WriterEntry> all = new ArrayList<>();
            for (String line : number == 0 ? List.<String>of() : Files.readAllLines(topic.resolve(PREFIX + number))) {
                String[] parts = line.split(String.valueOf(SEPARATOR), PARTS);
                all.add(new WriterEntry(
                        Long.parseLong(parts[0]),
                        Long.parseLong(parts[1]),
                        Long.parseLong(parts[2]),
                        Incarnation.parse(parts[3])));
            }
            return all;
        } catch (NoSuchFileException replaced) {
            return null;
        } catch (IOException failed) {
            throw new TransportException("cannot read the writers of a topic in " + topic + ": " + failed, failed);
        }
    }

    /** Adds a list, which readers open once its number is in the state. */
    static void write(Path topic, int number, List<WriterEntry> all) throws IOException {
        StringBuilder text = new StringBuilder();
        for (WriterEntry each : all) {
            text.append(each.first)
                    .append(SEPARATOR)
                    .append(each.begin)
                    .append(SEPARATOR)
                    .append(each.before)
                    .append(SEPARATOR)
                    .append(each.writer.text())
                    .append('\n');
        }
        Files.writeString(topic.resolve(PREFIX + number), text);
    }
}
