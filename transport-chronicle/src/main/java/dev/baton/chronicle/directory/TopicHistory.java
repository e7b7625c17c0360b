package dev.baton.chronicle.directory;

import dev.baton.chronicle.platform.Device;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.chronicle.platform.SyncedFile;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/**
 * The history of a topic: its identity, its writers with their first sequences, and the inputs that its frames answer. One
 * file of lines in the topic's directory, so that a copy of the directory contains it:
 *
 * <pre>
 * topic IDENTITY CHECKSUM
 * writer FIRST-SEQUENCE {@link Incarnation#text} CHECKSUM
 * input FIRST-SEQUENCE IDENTITY INCARNATION CHECKSUM
 * </pre>
 *
 * <p>Numbers are decimal, identities and incarnations hexadecimal, as is the CRC32C of what precedes it in the line. The file is created with its first line, atomically. The
 * topic's one writer appends each further line with one write, before the first frame that the line describes. A line without
 * its end was left by a writer that died: readers skip it, and the next writer ends it with {@code ~torn}.
 *
 * <p>A line is needed while the topic has a frame that it describes: a later line with the same sequence, or an earlier one,
 * replaces it, as when a writer was opened and closed without a frame. Once most lines of a long file are not needed, the next
 * line is added to a new file without them, which replaces the old one atomically. No line is dropped for its age. Immutable,
 * thread-safe; {@link #read} returns the next state.
 */
public final class TopicHistory {
    public static final String FILE = "baton.topic";

    /** Lines up to which a file is never rewritten. */
    private static final int SHORT = 1024;

    /** The number of lines per needed one from which a file is rewritten, so that the cost for each line is bounded. */
    private static final int LINES_PER_NEEDED = 2;

    /** The largest history: more than a million writers that have written frames. */
    private static final long MAX_BYTES = 256 << 20;

    private static final String TOPIC = "topic ";
    private static final String WRITER = "writer ";
    private static final String INPUT = "input ";

    /** The blank and the digits of a checksum. */
    private static final int CHECKSUM_CHARS = 9;

    /** The end of a line that a dead writer left, which marks it for readers. */
    private static final String TORN = "~torn";

    private final Path file;
    private final long identity;
    private final SequenceRanges<Incarnation> writers;
    private final SequenceRanges<InputRef> inputs;
    private final long newestCount;
    private final int lines;
    private final boolean isTorn; // the last line has no end
    private final Version version;

    private TopicHistory(
            Path file,
            long identity,
            SequenceRanges<Incarnation> writers,
            SequenceRanges<InputRef> inputs,
            long newestCount,
            int lines,
            boolean isTorn,
            Version version) {
        this.file = file;
        this.identity = identity;
        this.writers = writers;
        this.inputs = inputs;
        this.newestCount = newestCount;
        this.lines = lines;
        this.isTorn = isTorn;
        this.version = version;
    }

    /** The version of a file, which an append or a replacement changes. */
    private record Version(Object key, long bytes, FileTime modified) {
        /** The version of a file that was appended to since it was read. */
        static final Version UNKNOWN = new Version(null, -1, null);

        static Version of(BasicFileAttributes attributes) {
            return new Version(attributes.fileKey(), attributes.size(), attributes.lastModifiedTime());
        }
    }

    /** Creates the history with a new identity, unless there is one; returns whether it was created here. */
    static boolean create(Path directory, Device device) throws IOException {
        Path file = directory.resolve(FILE);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        long identity = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        return SyncedFile.create(file, topicLine(identity), device);
    }

    private static String topicLine(long identity) {
        return sealed(TOPIC + Long.toHexString(identity)) + "\n";
    }

    /** Returns a line with its checksum. */
    private static String sealed(String line) {
        CRC32C checksum = new CRC32C();
        checksum.update(line.getBytes(StandardCharsets.UTF_8));
        return line + " " + HexFormat.of().toHexDigits((int) checksum.getValue());
    }

    /** Returns a line without its checksum; null if the line is damaged. */
    private static String opened(String line) {
        int end = Math.max(0, line.length() - CHECKSUM_CHARS);
        String content = line.substring(0, end);
        return sealed(content).equals(line) ? content : null;
    }

    /**
     * Reads a topic's history; creates it in a directory that has none.
     *
     * @throws TransportException when the file is damaged
     */
    public static TopicHistory read(String topic, Path directory) {
        try {
            return present(topic, directory.resolve(FILE));
        } catch (NoSuchFileException none) {
            return createAndLook(topic, directory);
        } catch (IOException e) {
            throw notRead(topic, directory.resolve(FILE), e);
        }
    }

    private static TopicHistory createAndLook(String topic, Path directory) {
        try {
            create(directory, Device.REAL); // a power failure would leave an empty file
            return look(topic, directory);
        } catch (IOException e) {
            throw new TransportException(
                    "topic " + topic + ": cannot write " + directory.resolve(FILE) + ": " + FileFailure.reason(e), e);
        }
    }

    /** Reads the history of a directory that has one: creates none. */
    public static TopicHistory look(String topic, Path directory) {
        Path file = directory.resolve(FILE);
        try {
            return present(topic, file);
        } catch (IOException e) {
            throw notRead(topic, file, e);
        }
    }

    private static TransportException notRead(String topic, Path file, IOException e) {
        return new TransportException("topic " + topic + ": cannot read " + file + ": " + FileFailure.reason(e), e);
    }

    private static TopicHistory present(String topic, Path file) throws IOException {
        BasicFileAttributes attributes = attributes(file);
        if (!attributes.isRegularFile() || attributes.size() > MAX_BYTES) {
            throw damaged(topic, file, "it is no file of text, or longer than " + MAX_BYTES + " bytes");
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        return parse(topic, file, text, Version.of(attributes));
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns this history if its file is unchanged since it was read, otherwise the present one. */
    public TopicHistory current(String topic) {
        try {
            return version.equals(Version.of(attributes(file))) ? this : read(topic, file.getParent());
        } catch (IOException gone) {
            return read(topic, file.getParent());
        }
    }

    private static TopicHistory parse(String topic, Path file, String text, Version version) {
        int end = text.lastIndexOf('\n') + 1;
        long identity = 0;
        long newest = 0;
        SequenceRanges.Builder<Incarnation> writers = new SequenceRanges.Builder<>();
        SequenceRanges.Builder<InputRef> inputs = new SequenceRanges.Builder<>();
        String[] lines = text.substring(0, end).split("\n");
        for (int i = 0; i < lines.length; i++) {
            String stored = lines[i];
            try {
                if (stored.endsWith(TORN)) {
                    continue;
                }
                String line = Objects.requireNonNull(opened(stored), "checksum");
                if (line.startsWith(TOPIC)) {
                    identity = Long.parseUnsignedLong(line.substring(TOPIC.length()), 16);
                } else if (line.startsWith(WRITER)) {
                    String[] parts = line.split(" ", 3);
                    Incarnation writer = Incarnation.parse(parts[2]);
                    newest = Math.max(newest, Incarnation.count(writer.id()));
                    writers.add(Long.parseLong(parts[1]), writer);
                } else if (line.startsWith(INPUT)) {
                    String[] parts = line.split(" ");
                    InputRef input =
                            new InputRef(Long.parseUnsignedLong(parts[2], 16), Long.parseUnsignedLong(parts[3], 16));
                    inputs.add(Long.parseLong(parts[1]), input);
                } else {
                    throw new IllegalArgumentException("unknown");
                }
            } catch (RuntimeException malformed) { // a number, an index, or a null
                throw damaged(topic, file, "line " + (i + 1) + ", '" + printable(stored) + "', is damaged");
            }
        }
        if (identity == 0) {
            throw damaged(topic, file, "line 1 does not name the topic");
        }
        boolean isTorn = end < text.length();
        if (isTorn && opened(text.substring(end, text.length() - 1)) != null) {
            throw damaged(topic, file, "line " + (lines.length + 1) + " is damaged at its end");
        }
        int count = lines.length + (isTorn ? 1 : 0);
        return new TopicHistory(file, identity, writers.build(), inputs.build(), newest, count, isTorn, version);
    }

    private static String printable(String line) {
        String begin = line.length() > 80 ? line.substring(0, 80) + "..." : line;
        return begin.replaceAll("[^\\x20-\\x7e]", "?");
    }

    private static TransportException damaged(String topic, Path file, String how) {
        return new TransportException("topic " + topic + ": " + file + " is no history of a topic: " + how
                + "; restore it, or delete it if no reader or writer depends on the identity of this topic");
    }

    public long identity() {
        return identity;
    }

    /** Returns the writers, by the sequences of their first frames. */
    public SequenceRanges<Incarnation> writers() {
        return writers;
    }

    /** Returns the input that the frame with a sequence answers. */
    public InputRef inputOf(long sequence) {
        InputRef input = inputs.at(sequence);
        return input == null ? InputRef.UNKNOWN : input;
    }

    /**
     * Begins an incarnation. Called with the writer's lock.
     *
     * @param first sequence of its first frame
     * @param removed sequence up to which the topic's frames were removed, 0 for none
     */
    public TopicHistory begin(String topic, String topology, long first, long removed, Device device) {
        Incarnation.requireSameTopology(topic, writers.newest(), topology);
        long count = Incarnation.countAfter(newestCount, System.currentTimeMillis());
        long random = ThreadLocalRandom.current().nextLong();
        Incarnation writer = Incarnation.begin(Incarnation.id(count, random), topology);
        long unneeded = Math.min(removed, first - 2); // the newest frame is needed, whatever was removed
        TopicHistory begun = new TopicHistory(
                file,
                identity,
                since(unneeded, writers).with(first, writer),
                since(unneeded, inputs),
                count,
                lines + 1,
                false,
                Version.UNKNOWN);
        if (begun.lines > SHORT && begun.lines > LINES_PER_NEEDED * begun.neededLines()) {
            return begun.rewrite(topic, device == Device.NONE ? Device.REAL : device);
        }
        append(topic, writerLine(first, writer), device);
        return begun;
    }

    /**
     * Returns the newest input if it counts only from behind a sequence on, as frames were withdrawn, or never stored by a writer
     * that died; otherwise null.
     */
    public InputRef inputBehind(long sequence) {
        return inputs.lastOf(sequence) == Long.MAX_VALUE ? null : inputs.newest();
    }

    /** Adds that frames from a sequence on answer an input. Called by the writer. */
    public TopicHistory answering(String topic, long first, InputRef input, Device device) {
        if (input.equals(inputOf(first)) && inputBehind(first) == null) {
            return this;
        }
        append(topic, inputLine(first, input), device);
        return new TopicHistory(
                file, identity, writers, inputs.with(first, input), newestCount, lines + 1, false, Version.UNKNOWN);
    }

    /** Returns the ranges that reach beyond a sequence. */
    private static <T> SequenceRanges<T> since(long removed, SequenceRanges<T> ranges) {
        SequenceRanges.Builder<T> left = new SequenceRanges.Builder<>();
        ranges.forEach((first, value) -> {
            if (ranges.lastOf(first) > removed) {
                left.add(first, value);
            }
        });
        return left.build();
    }

    private int neededLines() {
        return 1 + writers.count() + inputs.count();
    }

    private static String writerLine(long first, Incarnation writer) {
        return sealed(WRITER + first + " " + writer.text());
    }

    private static String inputLine(long first, InputRef input) {
        return sealed(
                INPUT + first + " " + Long.toHexString(input.topic()) + " " + Long.toHexString(input.incarnation()));
    }

    /** Adds a line to the file. */
    private void append(String topic, String line, Device device) {
        String end = isTorn ? TORN + "\n" : "";
        boolean wasInterrupted = Thread.interrupted(); // which would close the channel
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            if (device != Device.NONE) {
                SyncedFile.markChanged(file); // an earlier sync may have failed
            }
            write(channel, end + line + "\n");
            if (device != Device.NONE) {
                SyncedFile.sync(file, device);
            }
        } catch (IOException e) {
            throw notWritten(topic, e);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Replaces the present file by one of this state, atomically. */
    private TopicHistory rewrite(String topic, Device device) {
        StringBuilder text = new StringBuilder(topicLine(identity));
        writers.forEach(
                (first, writer) -> text.append(writerLine(first, writer)).append('\n'));
        inputs.forEach((first, input) -> text.append(inputLine(first, input)).append('\n'));
        try {
            Path made = Files.createTempFile(file.getParent(), FILE, ".tmp");
            try {
                try (FileChannel channel = FileChannel.open(made, StandardOpenOption.WRITE)) {
                    write(channel, text.toString());
                }
                SyncedFile.sync(made, device); // or a power cut could leave neither of the two
                Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                SyncedFile.sync(file.getParent(), device);
            } finally {
                Files.deleteIfExists(made);
            }
        } catch (NoSuchFileException deletedMeanwhile) {
            throw notWritten(topic, new IOException("the topic was deleted", deletedMeanwhile));
        } catch (IOException e) {
            throw notWritten(topic, e);
        }
        return new TopicHistory(file, identity, writers, inputs, newestCount, neededLines(), false, Version.UNKNOWN);
    }

    private static void write(FileChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private TransportException notWritten(String topic, IOException cause) {
        return new TransportException(
                "topic " + topic + ": cannot write " + file + ": " + FileFailure.reason(cause), cause);
    }
}
