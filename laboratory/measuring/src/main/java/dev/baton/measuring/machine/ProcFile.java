package dev.baton.measuring.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Small text files of the kernel, which may not be there. */
public final class ProcFile {
    private ProcFile() {}

    /** All lines; none when the file is absent or may not be read. */
    public static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException | RuntimeException absent) {
            return List.of();
        }
    }

    /** The first line, trimmed. */
    public static Optional<String> firstLine(Path file) {
        return lines(file).stream()
                .map(String::trim)
                .filter(line -> !line.isEmpty())
                .findFirst();
    }

    /** The text behind the first line that begins with {@code key}, a colon or a tab removed. */
    public static Optional<String> value(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line ->
                        line.substring(key.length()).replaceFirst("^\\s*:", "").trim())
                .findFirst();
    }

    /** The number that a text begins with. */
    public static Optional<Long> number(String text) {
        String digits = text.split("\\s+", 2)[0];
        try {
            return Optional.of(Long.parseLong(digits));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }
}
