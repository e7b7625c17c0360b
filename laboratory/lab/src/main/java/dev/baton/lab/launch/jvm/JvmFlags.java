package dev.baton.lab.launch.jvm;

import dev.baton.lab.request.MemoryBudget;
import dev.baton.lab.request.Observers;
import dev.baton.lab.results.PrivateFile;
import dev.baton.operations.settings.Secrets;
import dev.baton.spi.TransportProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The command line of a JVM that measures. Flags differ by version, and a JVM that does not know one refuses to start. The collector is the
 * JVM's own choice, as usual, unless the command line has another. Stateless, thread-safe.
 */
public final class JvmFlags {
    /** Native libraries (Kafka's compression, Chronicle's mappings) load without a warning; 17 and 21 accept it, too. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    private JvmFlags() {}

    /**
     * Flags for a fresh JVM that runs a transport.
     *
     * @param provider of the transport, which lists its required flags
     * @param enough heap where none is given, as after {@code -Xmx}
     */
    public static List<String> forTrial(TransportProvider provider, JvmChoice choice, String enough) {
        return flags(provider.jvmFlags(choice.jvm().feature()), choice, enough);
    }

    /** Returns these flags with those that a profiler needs. @param observers null: the usual ones */
    public static List<String> profiled(Observers observers, JvmChoice choice, List<String> flags) {
        if (observers == null || observers.agent() == null) {
            return flags;
        }
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"));
        if (choice.jvm().feature() >= 21) {
            all.add("-XX:+EnableDynamicAgentLoading");
        }
        return List.copyOf(all);
    }

    /** Returns the flags of a trial that opens no transport. @param enough heap where none is given */
    public static List<String> withoutTransport(JvmChoice choice, String enough) {
        return flags(List.of(), choice, enough);
    }

    /**
     * Flags for a heap that is all there before anything is measured. A collection that copies into memory never touched
     * before waits for it, on a virtual machine twice.
     */
    public static List<String> wholeHeap(String heap) {
        return List.of("-Xms" + heap, "-XX:+AlwaysPreTouch");
    }

    private static List<String> flags(List<String> ofTransport, JvmChoice choice, String enough) {
        List<String> flags = new ArrayList<>(
                List.of("-Xmx" + choice.heapOr(enough), "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"));
        if (choice.jvm().feature() >= 22) {
            flags.add(NATIVE_ACCESS);
        }
        ofTransport.stream().filter(flag -> !flags.contains(flag)).forEach(flags::add);
        flags.addAll(choice.flags());
        return List.copyOf(flags);
    }

    /** The flags of a trial with those of a budget in place of its heap's; the collector and the flags of the command line remain. */
    public static List<String> within(MemoryBudget budget, List<String> flags) {
        List<String> all = new ArrayList<>(flags);
        all.removeIf(flag -> flag.startsWith("-Xmx"));
        all.addAll(
                0,
                List.of(
                        "-Xmx" + kilobytes(budget.heapBytes()),
                        "-XX:MaxDirectMemorySize=" + kilobytes(budget.directBytes()),
                        "-XX:MaxMetaspaceSize=" + kilobytes(budget.metaspaceBytes()),
                        "-XX:ReservedCodeCacheSize=" + kilobytes(budget.codeBytes()),
                        "-Xss" + kilobytes(budget.stackBytes()),
                        // one clear end, from whichever thread: a JVM that lost a thread to it would only seem to run
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:+DisplayVMOutputToStderr"));
        return List.copyOf(all);
    }

    private static String kilobytes(long bytes) {
        return (bytes >> 10) + "k";
    }

    /**
     * Flags as a process list may show them: when one sounds like a secret, all stand in an argument file that only its
     * owner may read.
     *
     * @param file where they go when one of them sounds like a secret; removed with its directory
     */
    public static List<String> shown(List<String> flags, Path file) throws IOException {
        if (flags.stream().allMatch(flag -> Secrets.redacted(flag).equals(flag))) {
            return flags;
        }
        PrivateFile.write(file, flags.stream().map(flag -> quoted(flag) + "\n").collect(Collectors.joining()));
        return List.of("@" + file.toAbsolutePath());
    }

    /** An argument with blanks or quotes, in the notation of an argument file. */
    public static String quoted(String argument) {
        return "\"" + argument.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
