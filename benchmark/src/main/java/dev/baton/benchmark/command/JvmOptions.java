package dev.baton.benchmark.command;

import static dev.baton.benchmark.command.Checks.require;

import dev.baton.benchmark.launch.Jvm;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The JVM that is measured in: options that every measuring command shares. */
final class JvmOptions {
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,8})([kKmMgG])");
    private static final long LEAST_BYTES = 16 << 20;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            defaultValue = "256m",
            description = "largest heap of each measured JVM, such as 256m or 2g (default: 256m)")
    private String heap;

    String heap() {
        Matcher size = SIZE.matcher(heap);
        require(
                size.matches() && bytes(size) >= LEAST_BYTES,
                "--heap '" + heap + "' is not allowed; a number and m or g, at least 16m, such as 256m or 2g");
        return heap;
    }

    Jvm jvm() {
        return Jvm.current();
    }

    private static long bytes(Matcher size) {
        int shift = switch (size.group(2).toLowerCase(java.util.Locale.ROOT)) {
            case "k" -> 10;
            case "m" -> 20;
            default -> 30;
        };
        return Long.parseLong(size.group(1)) << shift;
    }
}
