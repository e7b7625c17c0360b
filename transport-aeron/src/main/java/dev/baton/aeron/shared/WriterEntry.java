package dev.baton.aeron.shared;

import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * One writer of a topic, a line of the topic's file. Immutable, thread-safe.
 *
 * @param first sequence of its first frame
 * @param begin log position at which the log begins that it writes; writers of one process may share a log
 * @param before log position behind the last frame of the writer before it: what that one wrote later does not count
 * @param writer its incarnation
 */
record WriterEntry(long first, long begin, long before, Incarnation writer) {
    private static final String FILE = "writers";
    private static final char SEPARATOR = ' ';
    private static final int PARTS = 4;

    /** Returns the writers of a topic, the oldest first. */
    static List<WriterEntry> read(Path topic) {
        try {
            Path file = topic.resolve(FILE);
            List<WriterEntry> all = new ArrayList<>();
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                String[] parts = line.split(String.valueOf(SEPARATOR), PARTS);
                all.add(new WriterEntry(
                        Long.parseLong(parts[0]),
                        Long.parseLong(parts[1]),
                        Long.parseLong(parts[2]),
                        Incarnation.parse(parts[3])));
            }
            return all;
        } catch (IOException failed) {
            throw new TransportException("cannot read the writers of a topic in " + topic + ": " + failed, failed);
        }
    }

    /** Replaces the writers of a topic, all or none. */
    static void write(Path topic, List<WriterEntry> all) throws IOException {
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
        Path next = topic.resolve(FILE + ".next");
        Files.writeString(next, text);
        Files.move(next, topic.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
