package dev.baton.chronicle;

import dev.baton.chronicle.platform.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A storage device that loses its power or fails: it keeps what was synced of the files below a directory, and lays out what
 * may be left. That is every synced page and name, and of all that was changed since then a part by chance, page by page: the
 * operating system writes back when it likes, in any order. Confined to one thread.
 */
final class LosableDevice implements Device {
    private static final int PAGE = 4 << 10;

    private final Path root;
    private final Map<String, byte[]> contents = new HashMap<>();
    private final Map<Path, Map<String, String>> names = new HashMap<>();
    private Runnable beforeSync = () -> {};
    private boolean fails;

    LosableDevice(Path root) {
        this.root = root;
    }

    /** Runs this before each sync, when the most is at stake. */
    void beforeSync(Runnable action) {
        beforeSync = action;
    }

    /** Lets all syncs fail, or none. */
    void fail(boolean all) {
        fails = all;
    }

    @Override
    public void force(Path path, AsynchronousFileChannel channel) throws IOException {
        beforeSync.run();
        if (fails) {
            throw new IOException("Input/output error");
        }
        if (!path.startsWith(root)) {
            return; // made before, by another
        }
        if (Files.isDirectory(path)) {
            names.put(path, present(path));
        } else {
            contents.put(key(path), Files.readAllBytes(path));
        }
    }

    private static Map<String, String> present(Path directory) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                found.put(entry.getFileName().toString(), key(entry));
            }
        }
        return found;
    }

    /** Returns the identity of a file, whose inode may be used again. */
    private static String key(Path path) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return attributes.fileKey() + " " + attributes.creationTime();
    }

    /** Lays out what a loss of power now may leave. */
    void lose(Path to, Random chance) {
        try {
            layOut(root, to, chance, chance.nextInt(5) / 4.0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void layOut(Path from, Path to, Random chance, double share) throws IOException {
        Files.createDirectories(to);
        Map<String, String> synced = names.getOrDefault(from, Map.of());
        Map<String, String> left = new TreeMap<>(synced);
        Map<String, String> now = present(from);
        left.keySet().removeIf(name -> !now.containsKey(name) && chance.nextDouble() < share);
        now.forEach((name, key) -> {
            if (!key.equals(left.get(name)) && chance.nextDouble() < share) {
                left.put(name, key);
            }
        });
        for (Map.Entry<String, String> entry : left.entrySet()) {
            Path source = from.resolve(entry.getKey());
            boolean isPresent = entry.getValue().equals(now.get(entry.getKey()));
            if (isPresent && Files.isDirectory(source)) {
                layOut(source, to.resolve(entry.getKey()), chance, share);
            } else {
                byte[] before = contents.getOrDefault(entry.getValue(), new byte[0]);
                byte[] after = isPresent ? Files.readAllBytes(source) : before;
                Files.write(to.resolve(entry.getKey()), mix(before, after, chance, share));
            }
        }
    }

    private static byte[] mix(byte[] before, byte[] after, Random chance, double share) {
        boolean isGrown = before.length == 0 ? chance.nextDouble() < share : chance.nextBoolean();
        byte[] mixed = new byte[isGrown ? after.length : before.length];
        for (int from = 0; from < mixed.length; from += PAGE) {
            byte[] page = chance.nextDouble() < share ? after : before;
            int length = Math.min(PAGE, Math.min(page.length, mixed.length) - from);
            if (length > 0) {
                System.arraycopy(page, from, mixed, from, length);
            }
        }
        return mixed;
    }
}
