package dev.baton.measuring.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Small text files of the kernel, such as those below {@code /proc} and {@code /sys}, or of a directory of the same structure. A file that
 * does not exist or may not be read is null or empty. Immutable, thread-safe.
 *
 * @param root directory of all names
 */
public record KernelTree(Path root) {
    public static final KernelTree OF_THIS_MACHINE = new KernelTree(Path.of("/"));

    private static final long KILO = 1024;
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,19}");
    private static final Pattern CHOICE = Pattern.compile(".*\\[(.*?)].*");

    public Path path(String file) {
        return root.resolve(file);
    }

    public KernelTree in(String directory) {
        return new KernelTree(path(directory));
    }

    public List<String> lines(String file) {
        try {
            return Files.readAllLines(path(file));
        } catch (IOException | RuntimeException absent) {
            return List.of();
        }
    }

    /** The first line that is not blank, trimmed. */
    public String line(String file) {
        return lines(file).stream()
                .map(String::trim)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse(null);
    }

    /** The number at the beginning of the first line. */
    public Long number(String file) {
        return leadingNumber(line(file));
    }

    /** The number after a key, as in {@code meminfo}. */
    public Long number(String file, String key) {
        return leadingNumber(value(lines(file), key));
    }

    /** {@return the bytes of an amount in KiB after a key} */
    public Long bytes(String file, String key) {
        return bytes(lines(file), key);
    }

    public static Long bytes(List<String> lines, String key) {
        Long kilos = leadingNumber(value(lines, key));
        return kilos == null ? null : Long.valueOf(kilos * KILO);
    }

    /** The text after a key, in the first line that begins with it; a colon is removed. */
    public static String value(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line ->
                        line.substring(key.length()).replaceFirst("^\\s*:", "").trim())
                .findFirst()
                .orElse(null);
    }

    /** Parses the number at the beginning of a text; null for none, and for one that is too large. */
    static Long leadingNumber(String text) {
        Matcher number = NUMBER.matcher(text == null ? "" : text);
        try {
            return number.lookingAt() ? Long.valueOf(number.group()) : null;
        } catch (NumberFormatException beyond) {
            return null;
        }
    }

    /** The choice in brackets of a file such as {@code always [madvise] never}. */
    public String chosen(String file) {
        String line = line(file);
        Matcher choice = CHOICE.matcher(line == null ? "" : line);
        return choice.matches() ? choice.group(1) : null;
    }

    /** Names in a directory that fit a pattern of the shell, in order. */
    public List<String> entries(String directory, String pattern) {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(path(directory), pattern)) {
            all.forEach(each -> found.add(each.getFileName().toString()));
        } catch (IOException | RuntimeException absent) {
            return List.of();
        }
        found.sort(null);
        return found;
    }
}
