package dev.baton.lab.study.chaos.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Changes the newest queue file of a Chronicle topic as a writer leaves it that is killed inside an excerpt: after the last complete one it
 * adds a header marked "not complete", and some bytes. Complete excerpts are not changed. Stateless.
 */
public final class TornEnd {
    /** The header of an excerpt that is being written: not complete, length not known yet. */
    static final int UNFINISHED = 0x8000_0000;

    /** The result where the kill itself has left an unfinished excerpt. */
    public static final long LEFT_UNFINISHED = -1;

    /** The result where nothing could be torn. */
    public static final long NO_ROOM = -2;

    /** The header of a file's end, which follows its last excerpt when the next file has begun. */
    private static final int END_OF_FILE = 0xC000_0000;

    private static final int LENGTH_MASK = 0x3FFF_FFFF;
    private static final int LONGEST_TEAR = 2_000;
    private static final String SUFFIX = ".cq4";

    private TornEnd() {}

    /**
     * Tears the end. No process writes to the topic meanwhile.
     *
     * @param variant decides what the bytes are and how many
     * @return where in the file; {@link #LEFT_UNFINISHED}: its writer has left such an end itself; {@link #NO_ROOM}: there is no file
     *     yet, or no room behind the last excerpt, so that nothing was changed
     */
    public static long tear(Path topic, long variant) throws IOException {
        Path file = newest(topic);
        if (file == null) {
            return NO_ROOM;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long end = endOf(channel);
            if (end < 0) {
                return end;
            }
            Random random = new Random(variant);
            byte[] garbage = new byte[1 + random.nextInt(LONGEST_TEAR)];
            random.nextBytes(garbage);
            int room = (int) Math.min(garbage.length, channel.size() - end - Integer.BYTES);
            if (room < 1) {
                return NO_ROOM;
            }
            ByteBuffer torn = ByteBuffer.allocate(Integer.BYTES + room).order(ByteOrder.LITTLE_ENDIAN);
            torn.putInt(UNFINISHED).put(garbage, 0, room).flip();
            channel.write(torn, end);
            return end;
        }
    }

    private static Path newest(Path topic) throws IOException {
        try (Stream<Path> files = Files.list(topic)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .max(Comparator.naturalOrder())
                    .orElse(null);
        }
    }

    /** Returns the offset behind the last whole excerpt, or the result where it cannot be torn. */
    private static long endOf(FileChannel channel) throws IOException {
        MappedByteBuffer headers = channel.map(MapMode.READ_ONLY, 0, Math.min(channel.size(), Integer.MAX_VALUE));
        headers.order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (at <= headers.limit() - Integer.BYTES) {
            int header = headers.getInt(at);
            if (header == 0) {
                return at;
            }
            if (header < 0) {
                return header == END_OF_FILE ? NO_ROOM : LEFT_UNFINISHED;
            }
            at = (at + Integer.BYTES + (header & LENGTH_MASK) + 3) & ~3;
        }
        return NO_ROOM;
    }
}
