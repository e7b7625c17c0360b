package dev.baton.tck.lifecycle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The open descriptors of this process on Linux; elsewhere there are none. Thread-safe. */
final class OpenDescriptors {
    /** The name of all sockets. */
    static final String SOCKET = "socket";

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private OpenDescriptors() {}

    /** Returns the number of descriptors of each file, of all sockets, and of each other kind. */
    static Map<String, Long> count() {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return Map.of();
        }
        try (Stream<Path> all = Files.list(DESCRIPTORS)) {
            return all.map(OpenDescriptors::name)
                    .filter(name -> !name.isEmpty())
                    .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
        } catch (IOException failed) {
            throw new IllegalStateException("the open descriptors of this process cannot be listed", failed);
        }
    }

    /** Returns the name of a descriptor; empty if it is closed meanwhile, or if the JVM loads classes through it. */
    private static String name(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            if (target.startsWith(SOCKET + ":")) {
                return SOCKET;
            }
            boolean isOfTheJvm = target.endsWith(".jar") || target.startsWith("/proc") || target.startsWith("/dev");
            return isOfTheJvm && !target.startsWith("/dev/shm") ? "" : target;
        } catch (IOException closed) {
            return "";
        }
    }
}
