package dev.baton.benchmark.command;

import dev.baton.benchmark.plan.Subject;
import java.util.List;
import java.util.Map;

/** A command line as it may be kept in a file that people share. Stateless, thread-safe. */
final class TypedLine {
    private TypedLine() {}

    /** The arguments with {@code ***} in place of values whose key sounds like a secret. */
    static List<String> redacted(List<String> arguments) {
        return arguments.stream().map(TypedLine::redacted).toList();
    }

    private static String redacted(String argument) {
        int equals = argument.indexOf('=');
        if (equals < 0) {
            return argument;
        }
        String key = argument.substring(0, equals);
        Subject subject = new Subject(Subject.BATON, "", Map.of(key, argument.substring(equals + 1)));
        return key + "=" + subject.redacted().options().get(key);
    }
}
