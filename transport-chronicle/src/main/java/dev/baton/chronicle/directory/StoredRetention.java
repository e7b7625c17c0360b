package dev.baton.chronicle.directory;

import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.platform.Device;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.chronicle.platform.SyncedFile;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The retention of a directory of topics, in a file there, so that all processes that open the directory have the same.
 * The process that creates the first topic stores it; it is removed with the last topic. Stateless.
 */
public final class StoredRetention {
    /** The name of the file, which no topic can have. */
    public static final String FILE = ".retention";

    private StoredRetention() {}

    /**
     * Returns the stored retention, or else the one of the options.
     *
     * @throws IllegalArgumentException if the options have another one than the directory, with the remedy
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
     * Stores the retention of this process, before and after it creates topics, as another one may delete the last topics
     * meanwhile.
     *
     * @throws IllegalArgumentException if another process has stored another one since this one opened the directory
     */
    public static void keep(TopicDirectory directory, Retention kept, Device device) {
        try {
            Path file = file(directory);
            Retention stored = read(file);
            if (stored == null) {
                store(directory, kept, device);
                stored = read(file); // of another process, perhaps
            }
            if (stored != null) {
                requireSame(directory, stored, kept);
            }
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /**
     * Checks the retention of this process, before it opens a topic: another process may have created the first one.
     *
     * @throws TransportException if another process has stored another one since this one opened the directory
     */
    public static void require(TopicDirectory directory, Retention kept) {
        try {
            Retention stored = read(file(directory));
            if (stored != null) {
                requireSame(directory, stored, kept);
            }
        } catch (IllegalArgumentException another) {
            throw new TransportException(another.getMessage(), another);
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /**
     * Deletes the stored retention if the directory has no topic any more. Another process may be creating one: it stores the
     * retention again behind its topics, or they are found here.
     */
    public static void forgetIfEmpty(TopicDirectory directory) {
        try {
            if (Files.exists(file(directory)) && directory.topics().isEmpty()) {
                Retention stored = readable(file(directory));
                Files.deleteIfExists(file(directory));
                if (stored != null && !directory.topics().isEmpty()) {
                    store(directory, stored, Device.REAL); // a power failure would leave an empty file
                }
            }
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /** Returns what a file that is deleted has stored; null where that cannot be read. */
    private static Retention readable(Path file) {
        try {
            return read(file);
        } catch (IOException | RuntimeException damaged) {
            return null;
        }
    }

    private static void store(TopicDirectory directory, Retention kept, Device device) throws IOException {
        SyncedFile.create(file(directory), typed(kept) + "\n", device);
        SyncedFile.sync(directory.root(), device);
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
            text = Files.readString(file, StandardCharsets.ISO_8859_1).trim();
        } catch (NoSuchFileException none) {
            return null;
        }
        for (Retention each : new Retention[] {Retention.ALL, Retention.UNREAD}) {
            if (typed(each).equals(text)) {
                return each;
            }
        }
        throw new TransportException("file " + file + " holds no retention in line 1, which is 'all' or 'unread': '"
                + text.substring(0, Math.min(text.length(), 40)).replaceAll("[^\\x20-\\x7e]", "?")
                + "'. Restore the file, or delete it and open the directory with the retention that it had");
    }

    private static String typed(Retention retention) {
        return retention.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the retention of a directory of an earlier version: {@code UNREAD} if one of its topics has freed
     * something.
     */
    private static Retention before(TopicDirectory directory) {
        for (String topic : directory.topics()) {
            try {
                if (StoredMetadata.freedIndex(directory.root().resolve(topic)) > 0) {
                    return Retention.UNREAD;
                }
            } catch (IOException | UncheckedIOException | FileDefect unreadable) {
                // reported by the reader or writer that opens the topic
            }
        }
        return Retention.ALL;
    }
}
