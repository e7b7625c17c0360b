package dev.baton.lab.launch;

import dev.baton.lab.results.ResultText;
import dev.baton.operations.settings.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * JVM flags as a process list may show them: when one sounds like a secret, all stand in an argument file that only its
 * owner may read. Stateless, thread-safe.
 */
final class ConfidedFlags {
    private ConfidedFlags() {}

    static boolean isNeeded(List<String> flags) {
        return flags.stream().anyMatch(flag -> !Secrets.redacted(flag).equals(flag));
    }

    /**
     * The flags to start a JVM with.
     *
     * @param scratch for the file, if one is needed; removed by whoever made it
     */
    static List<String> of(List<String> flags, Path scratch) throws IOException {
        return isNeeded(flags) ? List.of(inFile(flags, scratch.resolve("jvm-flags.args"))) : flags;
    }

    /** Writes them down, and says how the JVM is told to read them. */
    static String inFile(List<String> flags, Path file) throws IOException {
        ResultText.write(
                file,
                flags.stream()
                        .map(flag -> "\"" + flag.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n")
                        .collect(Collectors.joining()));
        return "@" + file.toAbsolutePath();
    }
}
