package dev.baton.operations.line;

import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;

/**
 * A name of a file or directory that Java cannot use because the encoding of the locale does not have its characters, as
 * with an umlaut under {@code LC_ALL=C}. Stateless, thread-safe.
 */
final class UnreadableName {
    /** Character in place of bytes that are no text. */
    static final char REPLACEMENT = '\ufffd';

    private static final String ENCODING = "sun.jnu.encoding";

    private UnreadableName() {}

    /**
     * Explains the effect of the encoding on a name, with the remedy.
     *
     * @param name such as {@code 'a'} or {@code the directory 'a'}
     */
    static String text(String name, String remedy) {
        return name + " is not text in " + System.getProperty(ENCODING) + ", the encoding of this locale; " + remedy
                + "set LC_ALL=C.UTF-8";
    }

    /** Returns the complaint about an unreadable path; null when the path is wrong for another reason. */
    static String complaint(InvalidPathException path) {
        String name = path.getInput();
        if (name.indexOf(REPLACEMENT) < 0 && isWritable(name)) {
            return null;
        }
        return text((isWorkingDirectory(path) ? "the working directory '" : "'") + Console.shown(name) + "'", "");
    }

    /** Returns whether the path is the working directory, which is not from the command line. */
    static boolean isWorkingDirectory(InvalidPathException path) {
        return path.getInput().equals(System.getProperty("user.dir"));
    }

    private static boolean isWritable(String name) {
        try {
            return Charset.forName(System.getProperty(ENCODING)).newEncoder().canEncode(name);
        } catch (IllegalArgumentException | UnsupportedOperationException unknown) {
            return true;
        }
    }
}
