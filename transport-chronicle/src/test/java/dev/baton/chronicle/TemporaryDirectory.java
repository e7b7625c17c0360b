package dev.baton.chronicle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory of its own, removed at close. */
final class TemporaryDirectory implements AutoCloseable {
    private final Path path;

    TemporaryDirectory() {
        try {
            path = Files.createTempDirectory("baton-chronicle").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return path;
    }

    /** The queue files of {@link Topic}, oldest first. */
    List<Path> queueFiles() throws IOException {
        try (Stream<Path> files = Files.list(path.resolve(Topic.NAME))) {
            return files.filter(file -> file.toString().endsWith(".cq4"))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
