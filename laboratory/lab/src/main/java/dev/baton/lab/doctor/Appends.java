package dev.baton.lab.doctor;

import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * The cost of appending to files in the directory of the queues: one append after the other, as fast as possible; each figure contains one
 * reading of the clock. Immutable, thread-safe.
 *
 * @param directory of the files
 * @param fileSystem its type; null when unknown
 * @param mapped of small records to a mapped file, new pages included
 * @param queue of small messages to a topic of Chronicle; null when it does not open
 * @param trouble why it does not; null otherwise
 */
record Appends(String directory, String fileSystem, Quantiles mapped, Quantiles queue, String trouble)
        implements Diagnosis.Reading {
    /** Bytes that it writes at most. */
    static final long MOST_BYTES = 64 << 20;

    private static final int FILE_BYTES = 16 << 20;
    private static final int RECORD_BYTES = 64;
    private static final int PAYLOAD_BYTES = 24;
    private static final int WARM_UP = 5_000;
    private static final int MESSAGES = 20_000;
    private static final String TOPIC = "appends";

    /** Reading the clock that often is enough to end in time. */
    private static final int LOOK_EVERY = 1_024;

    private static final List<String> MEMORY = List.of("tmpfs", "ramfs");
    private static final List<String> REMOTE = List.of("nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse");
    private static final List<String> COPYING = List.of("btrfs", "zfs", "overlay");
    /**
     * Advice for a slow disk. It does not name memory: queues there would not survive the host, and the measurement would be another one.
     */
    private static final String ELSEWHERE = "./baton ... --dir DIRECTORY-ON-A-FASTER-LOCAL-DISK";

    /**
     * Writes for a bounded time. Its files are in the given directory, which the caller removes.
     *
     * @param directory empty, and on the file system in question
     * @param forNanos for each of the two, and as long again to warm the second up
     */
    static Appends measure(Path directory, Path named, long forNanos, BooleanSupplier isInterrupted)
            throws IOException {
        Quantiles mapped = mapped(directory.resolve("mapped"), forNanos, isInterrupted);
        String type = Files.getFileStore(directory).type();
        if (isInterrupted.getAsBoolean()) {
            return new Appends(named.toString(), type, mapped, null, "interrupted");
        }
        try {
            Quantiles queue = queue(directory.resolve("queue"), forNanos, isInterrupted);
            return new Appends(named.toString(), type, mapped, queue, null);
        } catch (RuntimeException | LinkageError refused) { // the library does not load in a JVM that is shutting down
            return new Appends(named.toString(), type, mapped, null, refused.getMessage());
        }
    }

    private static Quantiles mapped(Path file, long forNanos, BooleanSupplier isInterrupted) throws IOException {
        Histogram costs = new Histogram(3);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES);
            long start = System.nanoTime();
            long before = start;
            for (int at = 0; at < FILE_BYTES; at += RECORD_BYTES) {
                for (int word = 0; word < RECORD_BYTES; word += Long.BYTES) {
                    buffer.putLong(at + word, before);
                }
                long now = System.nanoTime();
                costs.recordValue(now - before);
                boolean isOver = at % (LOOK_EVERY * RECORD_BYTES) == (LOOK_EVERY - 1) * RECORD_BYTES
                        && (now - start > forNanos || isInterrupted.getAsBoolean());
                if (isOver) {
                    break;
                }
                before = System.nanoTime();
            }
        }
        return Quantiles.of(costs);
    }

    private static Quantiles queue(Path directory, long forNanos, BooleanSupplier isInterrupted) {
        Histogram costs = new Histogram(3);
        try (Transport transport = ChronicleTransport.in(directory, ChronicleOptions.defaults())) {
            transport.createTopics(List.of(TOPIC));
            try (Connection connection = transport.connect()) {
                TopicWriter writer = connection.openWriter(TOPIC);
                long opened = System.nanoTime();
                for (int i = 0; i < WARM_UP && System.nanoTime() - opened < forNanos; i++) {
                    append(writer, connection, i);
                }
                long start = System.nanoTime();
                for (int i = 0; i < MESSAGES; i++) {
                    long before = System.nanoTime();
                    append(writer, connection, i);
                    long now = System.nanoTime();
                    costs.recordValue(now - before);
                    if (i % LOOK_EVERY == LOOK_EVERY - 1 && (now - start > forNanos || isInterrupted.getAsBoolean())) {
                        break;
                    }
                }
            }
        }
        return Quantiles.of(costs);
    }

    private static void append(TopicWriter writer, Connection connection, long value) {
        Frame frame = writer.claim(PAYLOAD_BYTES);
        frame.stamp(1, 1, value, value, value);
        frame.putLong(0, value);
        frame.putLong(Long.BYTES, value);
        frame.putLong(2 * Long.BYTES, value);
        writer.commit(PAYLOAD_BYTES);
        writer.flush();
        connection.doWork();
    }

    @Override
    public List<Finding> findings() {
        String subject = "queue directory";
        Finding place = Finding.of(
                fileSystem == null ? null : place(),
                subject,
                directory + " is on " + (fileSystem == null ? "an unknown file system" : fileSystem)
                        + (isMemory() ? ", which is memory: queues there do not survive the host" : ""),
                "its write-back, copies or network delay appends",
                ELSEWHERE);
        Finding toFile =
                cost("append to a mapped file", mapped, GradeLetter.below(mapped.p99Nanos(), 5_000, 20_000, 100_000));
        Finding toQueue = queue == null
                ? Finding.hidden("append to Chronicle", String.valueOf(trouble))
                : cost("append to Chronicle", queue, GradeLetter.below(queue.p99Nanos(), 20_000, 50_000, 200_000));
        return List.of(place, toFile, toQueue);
    }

    /** The maximum counts, too: a quick examination is short, and who appends for longer sees more of them. */
    private static Finding cost(String subject, Quantiles cost, GradeLetter usual) {
        GradeLetter worst = GradeLetter.below(cost.maxNanos(), 2_000_000, 10_000_000, 50_000_000);
        return Finding.of(
                cost.count() == 0 ? null : cost.tells(99) ? usual.or(worst) : worst,
                subject,
                cost.words(),
                "each hop over files pays it at least once",
                ELSEWHERE);
    }

    private GradeLetter place() {
        if (REMOTE.stream().anyMatch(fileSystem::startsWith)) {
            return GradeLetter.E;
        }
        if (COPYING.contains(fileSystem)) {
            return GradeLetter.C;
        }
        return isMemory() ? GradeLetter.A : GradeLetter.B;
    }

    private boolean isMemory() {
        return MEMORY.contains(fileSystem);
    }
}
