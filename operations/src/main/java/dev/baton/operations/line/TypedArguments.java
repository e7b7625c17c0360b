package dev.baton.operations.line;

import dev.baton.operations.settings.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.PicocliException;
import picocli.CommandLine.Unmatched;

/**
 * What was typed, and what it stands for: {@code @FILE} for the arguments in a file, {@code -o key=env:NAME} for the value
 * of an environment variable, so that no secret need stand in a command line. Stateless, thread-safe.
 */
final class TypedArguments {
    private static final String ENVIRONMENT = "env:";

    private TypedArguments() {}

    /**
     * The value that a typed one stands for.
     *
     * @throws Refusal when it names a variable that is not set
     */
    static String value(String key, String typed, Map<String, String> environment) {
        if (!typed.startsWith(ENVIRONMENT)) {
            return typed;
        }
        String name = typed.substring(ENVIRONMENT.length());
        String value = environment.get(name);
        if (value == null || value.isEmpty()) {
            throw CommandException.usage("-o " + key + "=" + ENVIRONMENT + name + ": the environment variable '" + name
                    + "' is " + (value == null ? "not set" : "empty") + "; set it, or give the value in an @FILE");
        }
        return value;
    }

    /** All secrets that these arguments hold, also in files and in the environment. */
    static Secrets secrets(List<String> typed, Map<String, String> environment) {
        List<String> all = new ArrayList<>();
        for (String each : expanded(typed)) {
            all.add(each);
            int reference = each.indexOf("=" + ENVIRONMENT);
            String value = reference < 0 ? null : environment.get(each.substring(reference + 1 + ENVIRONMENT.length()));
            if (value != null) {
                all.add(each.substring(0, reference + 1) + value);
            }
        }
        return Secrets.in(all);
    }

    /** With the content of files in place of their names. */
    private static List<String> expanded(List<String> typed) {
        try {
            return new CommandLine(new Anything())
                    .parseArgs(typed.toArray(String[]::new))
                    .expandedArgs();
        } catch (PicocliException unreadable) {
            return typed;
        }
    }

    /** A command that takes whatever is typed. */
    @Command
    private static final class Anything {
        @Unmatched
        private List<String> all;
    }
}
