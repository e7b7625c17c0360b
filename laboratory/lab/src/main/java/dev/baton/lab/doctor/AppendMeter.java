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
 * Measures appends in a directory, one after the other as fast as they go; each figure contains one reading of the clock.
 * What it writes lies in the directory that it was given, which is its caller's to remove. Stateless, thread-safe.
 */
final class AppendMeter {
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

    private AppendMeter() {}

    /**
     * Writes for a bounded time.
     *
     * @param directory empty, and on the file system that is asked about
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
}
