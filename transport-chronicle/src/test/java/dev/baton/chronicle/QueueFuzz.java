package dev.baton.chronicle;

import dev.baton.chronicle.admin.FileInspector;
import dev.baton.chronicle.format.QueueFiles;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * Opens one damaged topic after the other, as a JVM of its own that may be killed by what it meets: by an inspector, a
 * reader and a writer. Prints a line before each, {@code BAD ...} for what must not be, {@code END} at last.
 * Single-threaded.
 */
public final class QueueFuzz {
    static final int FRAMES = 90;
    static final ChronicleOptions OPTIONS = ChronicleOptions.defaults()
            .with(ChronicleOptions.BLOCK_SIZE, 64 << 10)
            .with(ChronicleOptions.INDEX_COUNT, 8)
            .with(ChronicleOptions.INDEX_SPACING, 4);

    private static final String NAME = "t";
    private static final String CONSUMER = "r";
    private static final int MOST_READS = 100_000;
    private static final int SLOW_MILLIS = 1_000;

    private final Path directory;
    private final byte[] queue;
    private final byte[] metadata;
    private final String fileName;
    private final boolean isOnlyInspected;
    private int bad;

    private QueueFuzz(Path directory, boolean isOnlyInspected) throws IOException {
        this.directory = directory;
        this.isOnlyInspected = isOnlyInspected;
        Path template = directory.resolve("template");
        try (ChronicleTransport transport = ChronicleTransport.in(template, OPTIONS)) {
            transport.createTopics(List.of(NAME));
            try (Connection connection = transport.connect()) {
                TopicWriter writer = connection.openWriter(NAME);
                TopicReader reader = connection.openReader(NAME, CONSUMER);
                for (int i = 1; i <= FRAMES; i++) {
                    write(writer);
                    if (i % 3 != 1) {
                        writer.flush();
                    }
                }
                writer.flush();
                reader.poll((frame, position) -> Verdict.DONE, 20);
                reader.acknowledge(5);
            }
        }
        Path file = QueueFiles.in(template.resolve(NAME)).get(0);
        fileName = file.getFileName().toString();
        queue = Files.readAllBytes(file);
        metadata = Files.readAllBytes(file.resolveSibling(Mutation.METADATA));
    }

    /** @param arguments a directory, the first seed, how many, {@code inspect} or {@code all} */
    public static void main(String[] arguments) throws IOException {
        QueueFuzz fuzz = new QueueFuzz(Path.of(arguments[0]), arguments[3].equals("inspect"));
        long first = Long.parseLong(arguments[1]);
        long end = first + Long.parseLong(arguments[2]);
        for (long seed = first; seed < end; seed++) {
            if (!fuzz.isOnlyInspected || seed % 1000 == 0) {
                System.out.println(seed);
            }
            fuzz.run(seed);
        }
        System.out.println("END " + fuzz.bad);
    }

    private void run(long seed) throws IOException {
        Path topic = Files.createDirectories(directory.resolve("input").resolve(NAME));
        String done = new Mutation(seed).write(topic, fileName, queue, metadata);
        Random random = new Random(seed);
        long begun = System.nanoTime();
        try {
            inspect();
            if (!isOnlyInspected) {
                if (random.nextBoolean()) {
                    use(true, random.nextBoolean());
                }
                use(random.nextInt(3) == 0, true);
                inspect();
            }
        } catch (TransportException expected) {
            if (expected.getMessage() == null || !expected.getMessage().contains("topic")) {
                bad(seed, done, expected);
            }
        } catch (Throwable unexpected) {
            bad(seed, done, unexpected);
        } finally {
            long millis = (System.nanoTime() - begun) / 1_000_000;
            if (millis > SLOW_MILLIS) {
                System.out.println("SLOW " + seed + " (" + done + "): " + millis + " ms");
            }
            clear(directory.resolve("input"));
        }
    }

    private void bad(long seed, String done, Throwable why) {
        bad++;
        StringBuilder text = new StringBuilder("BAD " + seed + " (" + done + "): " + why);
        for (Throwable each = why; each != null; each = each.getCause()) {
            int shown = 0;
            for (StackTraceElement element : each.getStackTrace()) {
                if (shown++ < 8) {
                    text.append(" < ").append(element);
                }
            }
        }
        System.out.println(text.toString().replace('\n', ' '));
    }

    private void inspect() {
        try (TopicInspector inspector = new FileInspector(NAME, directory.resolve("input/" + NAME))) {
            long[] next = {1};
            for (int reads = 0; ; reads++) {
                if (reads > MOST_READS) {
                    throw new AssertionError("an inspector that never comes to an end");
                }
                try {
                    if (inspector.read((frame, position) -> checked(frame, next), 1000) == 0) {
                        break;
                    }
                } catch (DamagedTopicException damaged) {
                    next[0] = -1;
                    if (damaged.isEnd()) {
                        break;
                    }
                }
            }
            try {
                inspector.newestSequence();
            } catch (DamagedTopicException fine) {
                // told
            }
            try {
                inspector.acknowledged();
            } catch (DamagedTopicException fine) {
                // told
            }
        }
    }

    private void use(boolean writes, boolean reads) {
        try (ChronicleTransport transport = ChronicleTransport.in(directory.resolve("input"), OPTIONS);
                Connection connection = transport.connect()) {
            if (writes) {
                TopicWriter writer = connection.openWriter(NAME);
                long before = writer.sequence();
                for (int i = 0; i < 6 && before <= FRAMES; i++) {
                    if (writer.remainingCapacity() > 0) {
                        write(writer);
                        writer.flush();
                    }
                }
            }
            if (reads) {
                TopicReader reader = connection.openReader(NAME, CONSUMER);
                long[] next = {-1};
                int polled = 1;
                for (int polls = 0; polled > 0; polls++) {
                    polled = reader.poll((frame, position) -> checked(frame, next), 1000);
                    if (polls > MOST_READS) {
                        throw new AssertionError("a reader that never comes to an end");
                    }
                }
                reader.backlog();
            }
        }
    }

    private static void write(TopicWriter writer) {
        long sequence = writer.sequence() + 1;
        int length = length(sequence);
        Frame frame = writer.claim(length + Frame.CHECKSUM_BYTES).reserveChecksum();
        for (int i = 0; i < length; i++) {
            frame.putByte(i, (byte) (sequence * 31 + i));
        }
        frame.stamp(1, 2, sequence, 4, 5);
        frame.sequence(sequence);
        frame.seal(length);
        writer.commit(length + Frame.CHECKSUM_BYTES);
    }

    private static int length(long sequence) {
        return (int) (sequence % 40);
    }

    /** As a chain's stage does: version, flags, checksum, sequence. What passes has to be what was written. */
    private static Verdict checked(Frame frame, long[] next) {
        String defect = frame.isPlain() ? "a frame without a checksum" : frame.validate();
        long sequence = frame.sequence();
        if (defect != null || next[0] > 0 && sequence != next[0]) {
            throw new TransportException("topic t: " + (defect != null ? defect : "out of sequence"));
        }
        if (frame.length() != length(sequence)
                || frame.servicesPassed() != 1
                || frame.type() != 2
                || frame.cause() != sequence) {
            throw new AssertionError("a frame that was never written: sequence " + sequence);
        }
        for (int i = 0; i < frame.length(); i++) {
            if (frame.getByte(i) != (byte) (sequence * 31 + i)) {
                throw new AssertionError("an altered payload: sequence " + sequence);
            }
        }
        next[0] = sequence + 1;
        return Verdict.DONE;
    }

    private static void clear(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry)) {
                    clear(entry);
                }
                Files.deleteIfExists(entry);
            }
        }
    }
}
