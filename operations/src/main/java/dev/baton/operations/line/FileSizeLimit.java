package dev.baton.operations.line;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The largest file that this process may write, which {@code ulimit -f} sets. Stateless, thread-safe. */
final class FileSizeLimit {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern LINE = Pattern.compile("Max file size +([0-9]+) .*");

    /** The operating system's message, which the JDK repeats. */
    private static final String TOO_LARGE = "File too large";

    private FileSizeLimit() {}

    /** Returns whether a failure is that of a file that became too long. */
    static boolean isCauseOf(Exception failure) {
        return failure instanceof IOException
                && String.valueOf(failure.getMessage()).contains(TOO_LARGE);
    }

    /**
     * Returns the limit behind a complaint about a file that grew too long, if the complaint does not contain it; otherwise an empty text.
     */
    static String hint(String complaint) {
        if (!complaint.contains(TOO_LARGE) || complaint.contains("ulimit -f")) {
            return "";
        }
        try {
            return Files.readAllLines(LIMITS, StandardCharsets.US_ASCII).stream()
                    .map(LINE::matcher)
                    .filter(Matcher::matches)
                    .map(line -> String.format(
                            Locale.ROOT,
                            " (the file size limit of this process (ulimit -f) is %.2f MB)",
                            Double.parseDouble(line.group(1)) / 1e6))
                    .findFirst()
                    .orElse("");
        } catch (IOException unknown) {
            return "";
        }
    }
}
