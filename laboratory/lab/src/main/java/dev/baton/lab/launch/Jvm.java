package dev.baton.lab.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM to measure in. Immutable, thread-safe.
 *
 * @param executable its {@code java}
 * @param feature its feature version, such as 17
 */
public record Jvm(Path executable, int feature) {
    public static Jvm current() {
        return new Jvm(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Runtime.version().feature());
    }

    /** What starts it over this JVM's class path. */
    public List<String> command(List<String> flags, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(executable.toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
