package dev.baton.chronicle;

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
import java.util.ArrayList;
import java.util.List;
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
 * its end was left by a writer that died, and is skipped; the next writer ends it with {@code ~torn}. Immutable,
 * thread-safe; {@link #read} returns the next state.
 */
final class TopicHistory {
    static final String FILE = "baton.topic";

    /** Of some hundred restarts: more than this is made shorter by the next writer. */
    private static final int MAX_LINES = 1024;

    private static final int KEPT_LINES = 256;
    private static final long MAX_BYTES = 16 << 20;
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
            Files.writeString(made, TOPIC + Long.toHexString(identity) + "\n", StandardCharsets.UTF_8);
            Files.createLink(file, made); // whole or not at all, and not in place of another's
        } catch (FileAlreadyExistsException madeMeanwhile) {
            // by another process
        } catch (UnsupportedOperationException noLinks) {
            Files.move(made, file);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /**
     * Reads a topic's history; of a directory that has none it is given one.
     *
     * @throws TransportException when the file is there and is no history
     */
    static TopicHistory read(String topic, Path directory) {
        try {
            if (Files.notExists(directory.resolve(FILE), LinkOption.NOFOLLOW_LINKS)) {
                create(directory);
            }
            return look(topic, directory);
        } catch (IOException e) {
            throw new TransportException("topic " + topic + ": cannot write " + directory.resolve(FILE) + ": " + e, e);
        }
    }

    /** As {@link #read}, of a directory that has a history: makes none. */
    static TopicHistory look(String topic, Path directory) {
        Path file = directory.resolve(FILE);
        try {
            BasicFileAttributes attributes = attributes(file);
            if (!attributes.isRegularFile() || attributes.size() > MAX_BYTES) {
                throw damaged(topic, file, "it is no file of text, or longer than " + MAX_BYTES + " bytes");
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return parse(topic, file, text, Version.of(attributes));
        } catch (IOException e) {
            throw new TransportException("topic " + topic + ": cannot read " + file + ": " + e, e);
        }
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** This history if its file is as it was when it was read, otherwise what is there now. */
    TopicHistory current(String topic) {
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
        Eras<Incarnation> writers = Eras.none();
        Eras<InputRef> inputs = Eras.none();
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
                    writers = writers.with(Long.parseLong(parts[1]), writer);
                } else if (line.startsWith(INPUT)) {
                    String[] parts = line.split(" ");
                    InputRef input =
                            new InputRef(Long.parseUnsignedLong(parts[2], 16), Long.parseUnsignedLong(parts[3], 16));
                    inputs = inputs.with(Long.parseLong(parts[1]), input);
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
        return new TopicHistory(file, identity, writers, inputs, newest, count, isTorn, version);
    }

    private static String printable(String line) {
        String begin = line.length() > 80 ? line.substring(0, 80) + "..." : line;
        return begin.replaceAll("[^\\x20-\\x7e]", "?");
    }

    private static TransportException damaged(String topic, Path file, String how) {
        return new TransportException("topic " + topic + ": " + file + " is no history of a topic: " + how
                + "; restore it, or delete it if nobody relies on which topic this is");
    }

    long identity() {
        return identity;
    }

    /** Who wrote which frames, by their sequences. */
    Eras<Incarnation> writers() {
        return writers;
    }

    /** The input that the frame with a sequence answers. */
    InputRef inputOf(long sequence) {
        InputRef input = inputs.at(sequence);
        return input == null ? InputRef.UNKNOWN : input;
    }

    /** Begins an incarnation. Called with the writer's lock. */
    TopicHistory begin(String topic, String topology, long first, boolean isSynced) {
        Incarnation.requireSameTopology(topic, writers.newest(), topology);
        long count = Incarnation.countAfter(newestCount, System.currentTimeMillis());
        long random = ThreadLocalRandom.current().nextLong();
        Incarnation writer = Incarnation.begin(Incarnation.id(count, random), topology);
        int lineCount = append(topic, WRITER + first + " " + writer.text(), isSynced);
        return new TopicHistory(
                file, identity, writers.with(first, writer), inputs, count, lineCount, false, Version.UNKNOWN);
    }

    /** From a sequence on frames answer an input. Called by the writer. */
    TopicHistory answering(String topic, long first, InputRef input, boolean isSynced) {
        if (input.equals(inputOf(first))) {
            return this;
        }
        String ids = Long.toHexString(input.topic()) + " " + Long.toHexString(input.incarnation());
        int lineCount = append(topic, INPUT + first + " " + ids, isSynced);
        return new TopicHistory(
                file, identity, writers, inputs.with(first, input), newestCount, lineCount, false, Version.UNKNOWN);
    }

    /** Adds a line to the file, and returns how many it has then. */
    private int append(String topic, String line, boolean isSynced) {
        try {
            boolean isShortened = lines > MAX_LINES;
            int before = isShortened ? shorten() : lines;
            String end = isTorn && !isShortened ? TORN + "\n" : "";
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
                channel.write(ByteBuffer.wrap((end + line + "\n").getBytes(StandardCharsets.UTF_8)));
                if (isSynced) {
                    channel.force(true);
                }
            }
            return before + 1;
        } catch (IOException e) {
            throw new TransportException("topic " + topic + ": cannot write " + file + ": " + e, e);
        }
    }

    /** Keeps the newest lines of a long file, in place of it at once, and returns how many those are. */
    private int shorten() throws IOException {
        List<String> all = Files.readAllLines(file, StandardCharsets.UTF_8);
        List<String> kept = new ArrayList<>(all.subList(all.size() - KEPT_LINES, all.size()));
        kept.add(0, all.get(0));
        if (isTorn) {
            kept.set(KEPT_LINES, kept.get(KEPT_LINES) + TORN);
        }
        Path made = Files.createTempFile(file.getParent(), FILE, ".tmp");
        try {
            Files.write(made, kept, StandardCharsets.UTF_8);
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException deletedMeanwhile) {
            throw new IOException("the topic was deleted", deletedMeanwhile);
        } finally {
            Files.deleteIfExists(made);
        }
        return kept.size();
    }
}
