package dev.baton.aeron;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Aeron's logs that this process has open, as Linux tells it. */
final class LogDescriptors {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private LogDescriptors() {}

    /** The number of logs; one that an Archive in this process has open as well counts once. */
    static long count() throws IOException {
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            return descriptors
                    .map(LogDescriptors::target)
                    .filter(target -> target.contains(".logbuffer") || target.contains("/log-"))
                    .distinct()
                    .count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
