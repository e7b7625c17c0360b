package dev.baton.lab.doctor;

import dev.baton.measuring.machine.ProcFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files below {@code /proc} and {@code /sys} of a running kernel, or of a directory that looks like one. What is not
 * there is null or empty. Immutable, thread-safe.
 *
 * @param root above {@code proc} and {@code sys}
 */
record KernelTree(Path root) {
    static final KernelTree OF_THIS_MACHINE = new KernelTree(Path.of("/"));

    Path path(String file) {
        return root.resolve(file);
    }

    List<String> lines(String file) {
        return ProcFile.lines(path(file));
    }

    /** The first one, trimmed. */
    String line(String file) {
        return ProcFile.firstLine(path(file)).orElse(null);
    }

    /** That the first line begins with. */
    Long number(String file) {
        return ProcFile.firstLine(path(file)).flatMap(ProcFile::number).orElse(null);
    }

    /** That stands behind a key, as in {@code meminfo}. */
    Long number(String file, String key) {
        return ProcFile.value(lines(file), key).flatMap(ProcFile::number).orElse(null);
    }

    /** Entries of a directory whose names fit a pattern of the shell, in order. */
    List<Path> entries(String directory, String pattern) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(path(directory), pattern)) {
            all.forEach(found::add);
        } catch (IOException | RuntimeException absent) {
            return List.of();
        }
        found.sort(null);
        return found;
    }

    /** The choice in brackets of a file such as {@code always [madvise] never}. */
    String chosen(String file) {
        String line = line(file);
        if (line == null) {
            return null;
        }
        int from = line.indexOf('[');
        int to = line.indexOf(']', from);
        return from < 0 || to < 0 ? line : line.substring(from + 1, to);
    }
}
