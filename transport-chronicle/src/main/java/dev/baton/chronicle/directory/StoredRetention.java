package dev.baton.chronicle.directory;

import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.chronicle.platform.SyncedFile;
import dev.baton.spi.TransportException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The retention of a directory of topics, in a file there: all processes that open the directory keep the same. The one that
 * creates the first topic stores it; with the last topic it is removed. Stateless.
 */
public final class StoredRetention {
    /** The name of the file, which no topic can have. */
    public static final String FILE = ".retention";

    private StoredRetention() {}

    /**
     * Returns what a process that opens the directory keeps: what is stored there, or else what its options ask for.
     *
     * @param asked by the options of this process
     * @throws IllegalArgumentException if the directory keeps something else than the options ask for; the text says what to do
     */
    public static Retention of(TopicDirectory directory, Retention asked) {
        try {
            Retention stored = read(file(directory));
            if (stored == null) {
                return asked == Retention.AS_STORED ? before(directory) : asked;
            }
            if (asked != Retention.AS_STORED) {
                requireSame(directory, stored, asked);
            }
            return stored;
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /**
     * Stores what a process keeps, before it creates topics.
     *
     * @throws IllegalArgumentException if another process has stored something else since this one has opened the directory
     */
    public static void keep(TopicDirectory directory, Retention kept) {
        try {
            Path file = file(directory);
            Retention stored = read(file);
            if (stored == null) {
                store(file, kept);
                stored = read(file); // of another process, perhaps
            }
            if (stored != null) {
                requireSame(directory, stored, kept);
            }
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /** Forgets what is stored, if the directory holds no topic any more. */
    public static void forgetIfEmpty(TopicDirectory directory) {
        try {
            if (Files.exists(file(directory)) && directory.topics().isEmpty()) {
                Files.deleteIfExists(file(directory));
            }
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    private static Path file(TopicDirectory directory) {
        return directory.root().resolve(FILE);
    }

    private static TransportException unusable(TopicDirectory directory, IOException e) {
        return new TransportException("cannot use directory " + directory.root() + ": " + FileFailure.reason(e), e);
    }

    private static void requireSame(TopicDirectory directory, Retention stored, Retention asked) {
        if (stored != asked) {
            String has = typed(stored);
            String wanted = typed(asked);
            throw new IllegalArgumentException("directory " + directory.root() + " is kept with retention=" + has
                    + ", and retention=" + wanted + " was asked for. Use retention=" + has
                    + ", or set no retention, which takes that of the directory. To change it, stop all processes that"
                    + " use the directory, delete the file " + file(directory)
                    + ", and open the directory with retention=" + wanted);
        }
    }

    /** Returns null where nothing is stored. */
    private static Retention read(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.UTF_8).trim();
        } catch (NoSuchFileException none) {
            return null;
        }
        for (Retention each : new Retention[] {Retention.ALL, Retention.UNREAD}) {
            if (typed(each).equals(text)) {
                return each;
            }
        }
        throw new TransportException("file " + file + " holds no retention, which is 'all' or 'unread': '"
                + text.substring(0, Math.min(text.length(), 40)).toLowerCase(Locale.ROOT)
                + "'. Restore the file, or delete it and open the directory with the retention that it had");
    }

    private static String typed(Retention retention) {
        return retention.name().toLowerCase(Locale.ROOT);
    }

    private static void store(Path file, Retention retention) throws IOException {
        Path made = Files.createTempFile(file.getParent(), FILE, ".tmp");
        try {
            Files.writeString(made, typed(retention) + "\n", StandardCharsets.UTF_8);
            SyncedFile.sync(made); // or a power failure leaves an empty file
            Files.createLink(file, made); // whole or not at all, and not in place of another's
        } catch (FileAlreadyExistsException storedMeanwhile) {
            // by another process
        } catch (UnsupportedOperationException noLinks) {
            Files.move(made, file);
        } finally {
            Files.deleteIfExists(made);
        }
        SyncedFile.sync(file.getParent());
    }

    /** The retention of a directory of an earlier version: one of its topics has freed something, or everything is kept. */
    private static Retention before(TopicDirectory directory) {
        for (String topic : directory.topics()) {
            try {
                if (StoredMetadata.of(directory.root().resolve(topic)).getOrDefault(StoredMetadata.FREED_INDEX, 0L)
                        > 0) {
                    return Retention.UNREAD;
                }
            } catch (IOException | UncheckedIOException | FileDefect unreadable) {
                // reported by the reader or writer that opens the topic
            }
        }
        return Retention.ALL;
    }
}
