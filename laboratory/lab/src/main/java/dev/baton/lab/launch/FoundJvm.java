package dev.baton.lab.launch;

import java.nio.file.Path;

/**
 * A JVM as it describes itself. Immutable, thread-safe.
 *
 * @param home its {@code java.home}, links resolved
 * @param version such as 17.0.15
 * @param vendor such as Eclipse Adoptium
 * @param name of the virtual machine, such as OpenJDK 64-Bit Server VM
 */
public record FoundJvm(Jvm jvm, Path home, String version, String vendor, String name) {}
