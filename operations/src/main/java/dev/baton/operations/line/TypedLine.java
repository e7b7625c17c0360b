package dev.baton.operations.line;

import dev.baton.operations.settings.Secrets;
import java.util.List;

/** A command line as it may be kept in a file that people share. Stateless, thread-safe. */
public final class TypedLine {
    private TypedLine() {}

    /** The arguments with {@code ***} in place of values whose key sounds like a secret. */
    public static List<String> redacted(List<String> arguments) {
        return arguments.stream().map(Secrets::redacted).toList();
    }
}
