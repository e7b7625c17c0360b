package dev.baton.jmh;

import dev.baton.aeron.AeronProvider;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.lab.launch.Tool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A program of this module in a separate JVM, with the flags that the transports need. Stateless, thread-safe. */
final class Fork {
    private static final Duration LIMIT = Duration.ofMinutes(15);

    private Fork() {}

    /**
     * Runs a program until it ends, and returns the numbers of the last line that it printed.
     *
     * @param flags of the JVM
     * @param program with a main method
     */
    static long[] run(List<String> flags, Class<?> program, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(flags);
        command.addAll(flagsOfTheLibraries());
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        Tool said = Tool.run(command, LIMIT);
        if (!said.isOk() || said.output().isEmpty()) {
            throw new IllegalStateException(
                    program.getSimpleName() + Arrays.toString(arguments) + " failed: " + said.all());
        }
        String last = said.output().substring(said.output().lastIndexOf('\n') + 1);
        return Stream.of(last.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    /** {@return the flags that the libraries need} */
    static List<String> flagsOfTheLibraries() {
        int feature = Runtime.version().feature();
        List<String> flags = new ArrayList<>(new ChronicleProvider().jvmFlags(feature));
        flags.addAll(new AeronProvider().jvmFlags(feature));
        return flags;
    }

    /** Writes the kernel's caches to the disk, so that this does not continue during the next measurement. */
    static void sync() throws IOException {
        Tool.run(List.of("sync"), LIMIT);
    }

    /** {@return the CPU time of the calling thread, in nanoseconds} */
    static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
