package dev.baton.lab.launch;

import java.nio.file.Path;

/**
 * A JVM to measure in. Immutable, thread-safe.
 *
 * @param executable its {@code java}
 * @param feature its feature version, such as 17
 */
public record Jvm(Path executable, int feature) {
    /** The one that runs this. */
    public static Jvm current() {
        return new Jvm(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Runtime.version().feature());
    }
}
