package dev.baton.chronicle.directory;

import dev.baton.chronicle.platform.FileFailure;
import dev.baton.chronicle.platform.SyncedFile;
import dev.baton.spi.Eras;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a topic remembers of itself beside its frames: its identity, who wrote it from which sequence on, and which input
 * its frames answer. One file of lines in the topic's directory, so that a copy of the directory takes it along:
 *
 * <pre>
 * topic IDENTITY
 * writer FIRST-SEQUENCE {@link Incarnation#text}
 * input FIRST-SEQUENCE IDENTITY INCARNATION
 * </pre>
 *
 * <p>Numbers are decimal, identities and incarnations hexadecimal. The file is made whole, with the first line. Lines are
 * appended by the topic's one writer, each with one write and before the first frame that it speaks of; a line without
 * its end was left by a writer that died, and is skipped; the next writer ends it with {@code ~torn}.
 *
 * <p>A line is needed as long as the topic holds a frame that it speaks of: a later line with the same sequence, or an
 * earlier one, replaces it, as when a writer has come and gone without a frame. Once most lines of a long file are not
 * needed, the next line is added to a new file without them, which takes the place of the old one at once. No line is
 * dropped for its age. Immutable, thread-safe; {@link #read} returns the next state.
 */
public final class TopicHistory {
    public static final String FILE = "baton.topic";

    /** Lines up to which a file is never rewritten. */
    private static final int SHORT = 1024;

    /** A file is rewritten when it has this many lines for each that is needed, so that the cost for each line is bounded. */
    private static final int LINES_PER_NEEDED = 2;

    /** More than a million writers that have written frames, and far more than anything but a history. */
    private static final long MAX_BYTES = 256 << 20;

    private static final String TOPIC = "topic ";
    private static final String WRITER = "writer ";
    private static final String INPUT = "input ";

    /** Ends a line that a dead writer left, and marks it for readers. */
    private static final String TORN = "~torn";

    private final Path file;
    private final long identity;
    private final Eras<Incarnation> writers;
    private final Eras<InputRef> inputs;
    private final long newestCount;
    private final int lines;
    private final boolean isTorn; // the last line has no end
    private final Version version;

    private TopicHistory(
            Path file,
            long identity,
            Eras<Incarnation> writers,
            Eras<InputRef> inputs,
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

    /** Tells a file from what it becomes by an append, or by another one in its place. */
    private record Version(Object key, long bytes, FileTime modified) {
        /** Of a file that was appended to since it was read. */
        static final Version UNKNOWN = new Version(null, -1, null);

        static Version of(BasicFileAttributes attributes) {
            return new Version(attributes.fileKey(), attributes.size(), attributes.lastModifiedTime());
        }
    }

    /** Gives a topic its identity, unless it has one. */
    static void create(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        long identity = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        Path made = Files.createTempFile(directory, FILE, ".tmp");
        try {
            Files.writeString(made, topicLine(identity), StandardCharsets.UTF_8);
            Files.createLink(file, made); // whole or not at all, and not in place of another's
        } catch (FileAlreadyExistsException madeMeanwhile) {
            // by another process
        } catch (UnsupportedOperationException noLinks) {
            Files.move(made, file);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    private static String topicLine(long identity) {
        return TOPIC + Long.toHexString(identity) + "\n";
    }

    /**
     * Reads a topic's history; of a directory that has none it is given one.
     *
     * @throws TransportException when the file is there and is no history
     */
    public static TopicHistory read(String topic, Path directory) {
        try {
            if (Files.notExists(directory.resolve(FILE), LinkOption.NOFOLLOW_LINKS)) {
                create(directory);
            }
            return look(topic, directory);
        } catch (IOException e) {
            throw new TransportException(
                    "topic " + topic + ": cannot write " + directory.resolve(FILE) + ": " + FileFailure.reason(e), e);
        }
    }

    /** As {@link #read}, of a directory that has a history: makes none. */
    public static TopicHistory look(String topic, Path directory) {
        Path file = directory.resolve(FILE);
        try {
            BasicFileAttributes attributes = attributes(file);
            if (!attributes.isRegularFile() || attributes.size() > MAX_BYTES) {
                throw damaged(topic, file, "it is no file of text, or longer than " + MAX_BYTES + " bytes");
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return parse(topic, file, text, Version.of(attributes));
        } catch (IOException e) {
            throw new TransportException("topic " + topic + ": cannot read " + file + ": " + FileFailure.reason(e), e);
        }
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** This history if its file is as it was when it was read, otherwise what is there now. */
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
        Eras.Builder<Incarnation> writers = new Eras.Builder<>();
        Eras.Builder<InputRef> inputs = new Eras.Builder<>();
        String[] lines = text.substring(0, end).split("\n");
        for (String line : lines) {
            try {
                if (line.endsWith(TORN)) {
                    continue;
                }
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
            } catch (RuntimeException malformed) { // a number, an index, a null: whatever is wrong with the line
                throw damaged(topic, file, "the line '" + printable(line) + "' is none that is known");
            }
        }
        if (identity == 0) {
            throw damaged(topic, file, "it has no line that names the topic");
        }
        boolean isTorn = end < text.length();
        int count = lines.length + (isTorn ? 1 : 0);
        return new TopicHistory(file, identity, writers.build(), inputs.build(), newest, count, isTorn, version);
    }

    private static String printable(String line) {
        String begin = line.length() > 80 ? line.substring(0, 80) + "..." : line;
        return begin.replaceAll("[^\\x20-\\x7e]", "?");
    }

    private static TransportException damaged(String topic, Path file, String how) {
        return new TransportException("topic " + topic + ": " + file + " is no history of a topic: " + how
                + "; restore it, or delete it if nobody relies on which topic this is");
    }

    public long identity() {
        return identity;
    }

    /** Who wrote which frames, by their sequences. */
    public Eras<Incarnation> writers() {
        return writers;
    }

    /** The input that the frame with a sequence answers. */
    public InputRef inputOf(long sequence) {
        InputRef input = inputs.at(sequence);
        return input == null ? InputRef.UNKNOWN : input;
    }

    /**
     * Begins an incarnation. Called with the writer's lock.
     *
     * @param first sequence that its first frame will have
     * @param removed sequence up to which the topic's frames were removed, 0 for none
     */
    public TopicHistory begin(String topic, String topology, long first, long removed, boolean isSynced) {
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
            return begun.rewrite(topic);
        }
        append(topic, writerLine(first, writer), isSynced);
        return begun;
    }

    /** From a sequence on frames answer an input. Called by the writer. */
    public TopicHistory answering(String topic, long first, InputRef input, boolean isSynced) {
        if (input.equals(inputOf(first))) {
            return this;
        }
        append(topic, inputLine(first, input), isSynced);
        return new TopicHistory(
                file, identity, writers, inputs.with(first, input), newestCount, lines + 1, false, Version.UNKNOWN);
    }

    /** The eras that reach beyond a sequence. */
    private static <T> Eras<T> since(long removed, Eras<T> eras) {
        Eras.Builder<T> left = new Eras.Builder<>();
        eras.forEach((first, value) -> {
            if (eras.lastOf(first) > removed) {
                left.add(first, value);
            }
        });
        return left.build();
    }

    private int neededLines() {
        return 1 + writers.count() + inputs.count();
    }

    private static String writerLine(long first, Incarnation writer) {
        return WRITER + first + " " + writer.text();
    }

    private static String inputLine(long first, InputRef input) {
        return INPUT + first + " " + Long.toHexString(input.topic()) + " " + Long.toHexString(input.incarnation());
    }

    /** Adds a line to the file. */
    private void append(String topic, String line, boolean isSynced) {
        String end = isTorn ? TORN + "\n" : "";
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            if (isSynced) {
                SyncedFile.markChanged(file); // an earlier sync may have failed
            }
            write(channel, end + line + "\n", isSynced);
        } catch (IOException e) {
            throw notWritten(topic, e);
        }
    }

    /** Puts a file of this state in place of the present one, at once. */
    private TopicHistory rewrite(String topic) {
        StringBuilder text = new StringBuilder(topicLine(identity));
        writers.forEach(
                (first, writer) -> text.append(writerLine(first, writer)).append('\n'));
        inputs.forEach((first, input) -> text.append(inputLine(first, input)).append('\n'));
        try {
            Path made = Files.createTempFile(file.getParent(), FILE, ".tmp");
            try {
                try (FileChannel channel = FileChannel.open(made, StandardOpenOption.WRITE)) {
                    write(channel, text.toString(), true); // or a power cut could leave neither of the two
                }
                Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                SyncedFile.sync(file.getParent());
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

    private static void write(FileChannel channel, String text, boolean isSynced) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        if (isSynced) {
            channel.force(true);
        }
    }

    private TransportException notWritten(String topic, IOException cause) {
        return new TransportException(
                "topic " + topic + ": cannot write " + file + ": " + FileFailure.reason(cause), cause);
    }
}
