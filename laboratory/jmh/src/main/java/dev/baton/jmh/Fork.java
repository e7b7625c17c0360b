package dev.baton.jmh;

import dev.baton.aeron.AeronProvider;
import dev.baton.chronicle.ChronicleProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of this module in a separate JVM, with the flags that the transports need. Stateless, thread-safe. */
final class Fork {
    private static final long LIMIT_MINUTES = 15;

    private Fork() {}

    /**
     * Runs a program until it ends, and returns the numbers of the last line that it printed.
     *
     * @param flags of the JVM
     * @param program with a main method
     */
    static long[] run(List<String> flags, Class<?> program, Object... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(flags);
        command.addAll(flagsOfTheLibraries());
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        Path said = Files.createTempFile("baton-fork-", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            boolean hasEnded = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
            List<String> lines = Files.readAllLines(said);
            if (!hasEnded || process.exitValue() != 0 || lines.isEmpty()) {
                throw new IllegalStateException(program.getSimpleName()
                        + Arrays.toString(arguments)
                        + (hasEnded ? " failed: " : " takes too long: ")
                        + String.join(System.lineSeparator(), lines));
            }
            return Stream.of(lines.get(lines.size() - 1).trim().split(" "))
                    .mapToLong(Long::parseLong)
                    .toArray();
        } finally {
            process.destroyForcibly().waitFor();
            Files.delete(said);
        }
    }

    /** {@return the flags that the libraries need} */
    static List<String> flagsOfTheLibraries() {
        int feature = Runtime.version().feature();
        List<String> flags = new ArrayList<>(new ChronicleProvider().jvmFlags(feature));
        flags.addAll(new AeronProvider().jvmFlags(feature));
        return flags;
    }

    /** Writes the kernel's caches to the disk, so that this does not continue during the next measurement. */
    static void sync() throws IOException, InterruptedException {
        new ProcessBuilder("sync").inheritIO().start().waitFor();
    }

    /** {@return the CPU time of the calling thread, in nanoseconds} */
    static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
