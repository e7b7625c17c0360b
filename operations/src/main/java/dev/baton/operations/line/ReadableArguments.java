package dev.baton.operations.line;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Refuses what no command can make sense of before any command sees it: control characters, bytes that are no text, and an
 * {@code @FILE} that is a directory, a device or no text. Stateless, thread-safe.
 */
final class ReadableArguments {
    private static final int MAX_FILE_BYTES = 1 << 20;
    private static final char REPLACEMENT = '\ufffd';

    /** A file that is named in a file. */
    private static final Pattern NESTED = Pattern.compile("(?<=^|[\\s\"'])@(?!@)([^\\s\"']+)");

    private ReadableArguments() {}

    /** @throws CommandException for the first one that cannot be read */
    static void check(List<String> typed) {
        Set<Path> seen = new HashSet<>();
        for (String each : typed) {
            checkText(each);
            if (each.startsWith("@") && !each.startsWith("@@") && each.length() > 1) {
                checkFile(Path.of(each.substring(1)), seen);
            }
        }
    }

    private static void checkText(String typed) {
        for (int i = 0; i < typed.length(); i++) {
            char each = typed.charAt(i);
            if (Character.isISOControl(each)) {
                throw CommandException.usage(String.format(
                        "'%s' contains the control character U+%04X; type it without", Shown.text(typed), (int) each));
            }
        }
        if (typed.indexOf(REPLACEMENT) >= 0
                || !StandardCharsets.UTF_8.newEncoder().canEncode(typed)) {
            throw CommandException.usage("'" + Shown.text(typed) + "' is not text in "
                    + System.getProperty("sun.jnu.encoding") + ", the encoding of this locale; type it in that, or set"
                    + " LC_ALL=C.UTF-8");
        }
    }

    private static void checkFile(Path file, Set<Path> seen) {
        if (!Files.exists(file) || !seen.add(file.toAbsolutePath().normalize())) {
            return; // no file of arguments, but an argument that begins so
        }
        String shown = "@" + Shown.text(file.toString());
        if (!Files.isRegularFile(file)) {
            throw CommandException.usage(shown + " is " + (Files.isDirectory(file) ? "a directory" : "no regular file")
                    + "; name a text file with arguments in it");
        }
        Matcher nested = NESTED.matcher(text(file, shown));
        while (nested.find()) {
            checkFile(Path.of(nested.group(1)), seen);
        }
    }

    private static String text(Path file, String shown) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
            if (bytes.length > MAX_FILE_BYTES) {
                throw CommandException.usage(
                        shown + " has more than " + MAX_FILE_BYTES + " bytes; a file of arguments has fewer");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            text.codePoints()
                    .filter(each -> Character.isISOControl(each) && !Character.isWhitespace(each))
                    .findFirst()
                    .ifPresent(control -> {
                        throw CommandException.usage(String.format(
                                "%s contains the control character U+%04X; write it without", shown, control));
                    });
            return text;
        } catch (CharacterCodingException foreign) {
            throw CommandException.usage(shown + " is not text in UTF-8; name a text file", foreign);
        } catch (IOException unreadable) {
            throw CommandException.environment(shown + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }
}
