package dev.baton.benchmark.command;

import static dev.baton.benchmark.command.Checks.require;

import dev.baton.benchmark.launch.Jvm;
import dev.baton.benchmark.plan.Shape;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The JVM that is measured in: options that every measuring command shares. */
final class JvmOptions {
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,8})([kKmMgG])");
    private static final long LEAST_BYTES = 16 << 20;
    private static final long LEAST_DEFAULT_MEGABYTES = 256;

    /** What a trial takes without any chain. */
    private static final long BASE_BYTES = 64 << 20;

    /** The Disruptor's default ring takes 304 KiB, the others less; what is off the heap is bounded by the same flag. */
    private static final long BYTES_PER_TOPIC = 400 << 10;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description =
                    "largest heap of each measured JVM, such as 256m or 2g (default: 256m, more for many instances)")
    private String heap;

    /**
     * What was typed, or enough for the chains.
     *
     * @param shape how many of them, and how long
     */
    String heap(Shape shape) {
        if (heap == null) {
            long topics = (long) shape.instances() * (shape.services() + 1);
            long bytes = BASE_BYTES + topics * BYTES_PER_TOPIC;
            return Math.max(LEAST_DEFAULT_MEGABYTES, bytes >> 20) + "m";
        }
        return checked(heap);
    }

    /** A size that a JVM understands, and that is enough for one. */
    static String checked(String heap) {
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
        int shift = switch (size.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> 10;
            case "m" -> 20;
            default -> 30;
        };
        return Long.parseLong(size.group(1)) << shift;
    }
}
