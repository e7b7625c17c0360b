package dev.baton.chronicle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What this process holds of the files below a directory, as Linux tells it; nothing elsewhere. */
final class OpenFiles {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path MAPPINGS = Path.of("/proc/self/maps");

    private OpenFiles() {}

    /** Open descriptors and mappings, for people to read. */
    static List<String> below(Path directory) {
        List<String> held = new ArrayList<>(descriptorsBelow(directory));
        try {
            if (Files.exists(MAPPINGS)) {
                Files.readAllLines(MAPPINGS).stream()
                        .filter(line -> line.contains(directory + "/"))
                        .forEach(held::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return held;
    }

    /** Open descriptors alone. */
    static List<String> descriptorsBelow(Path directory) {
        List<String> held = new ArrayList<>();
        if (!Files.exists(DESCRIPTORS)) {
            return held;
        }
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            for (Path descriptor : descriptors.toList()) {
                String target = target(descriptor);
                if (target.startsWith(directory + "/")) {
                    held.add("descriptor " + target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return held;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
