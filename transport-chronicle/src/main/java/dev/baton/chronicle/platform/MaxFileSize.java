package dev.baton.chronicle.platform;

import dev.baton.spi.support.Causes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The largest file that this process may write, which {@code ulimit -f} sets. Stateless, thread-safe. */
final class MaxFileSize {
    static final long NONE = Long.MAX_VALUE;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern LINE = Pattern.compile("Max file size +([0-9]+) .*");

    /** The operating system's message, which the JDK repeats. */
    private static final String TOO_LARGE = "File too large";

    private MaxFileSize() {}

    /** Returns the limit in bytes; {@link #NONE} also where the system does not report one. */
    static long bytes() {
        try {
            return Files.readAllLines(LIMITS, StandardCharsets.US_ASCII).stream()
                    .map(LINE::matcher)
                    .filter(Matcher::matches)
                    .mapToLong(line -> Long.parseLong(line.group(1)))
                    .findFirst()
                    .orElse(NONE);
        } catch (IOException | NumberFormatException unknown) {
            return NONE;
        }
    }

    /** Returns the limit as a part of a sentence. */
    static String text(long bytes) {
        return String.format(Locale.ROOT, "the file size limit of this process (ulimit -f) is %.2f MB", bytes / 1e6);
    }

    /** Returns the limit in parentheses where it caused a failure, which may be null; otherwise an empty text. */
    static String hint(Throwable failure) {
        for (Throwable each : Causes.of(failure)) {
            if (String.valueOf(each.getMessage()).contains(TOO_LARGE)) {
                long limit = bytes();
                return limit == NONE ? "" : " (" + text(limit) + ")";
            }
        }
        return "";
    }
}
