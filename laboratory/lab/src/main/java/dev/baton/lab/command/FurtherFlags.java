package dev.baton.lab.command;

import static dev.baton.operations.line.Checks.require;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The flags that {@code --jvm-flags} takes: those that change how a JVM runs, and none that make it run something else or
 * nothing at all. Stateless, thread-safe.
 */
final class FurtherFlags {
    private static final Pattern ALLOWED =
            Pattern.compile("-X.+|-D.+|-(ea|da|esa|dsa)\\b.*|-(agentlib|agentpath|javaagent):.+"
                    + "|--(add-modules|add-exports|add-opens|add-reads|patch-module|limit-modules)=.+"
                    + "|--(enable|disable|sun|illegal|finalization)-.+|-(server|verbose:.+)");

    private FurtherFlags() {}

    /** The flags of a set that was typed. */
    static List<String> of(String set) {
        if (set == null || set.isBlank()) {
            return List.of();
        }
        require(
                set.indexOf('"') < 0 && set.indexOf('\'') < 0,
                "--jvm-flags: quotes have no meaning here; blanks separate flags, and none may contain one");
        List<String> flags = List.of(set.trim().split("\\s+"));
        for (String each : flags) {
            require(
                    ALLOWED.matcher(each).matches(),
                    "--jvm-flags: '" + each + "' is not allowed; flags of the JVM such as -XX:+UseNUMA, -Dname=value or"
                            + " --add-opens=java.base/java.nio=ALL-UNNAMED");
        }
        return flags;
    }
}
