package dev.baton.lab.study.jitter;

import static dev.baton.operations.line.Checks.require;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.options.Options;
import java.time.Duration;
import java.util.List;

/**
 * The interval at which a JVM stops all threads for its housekeeping, even without another reason. Immutable, thread-safe.
 *
 * @param words as given on the command line, which also name a result: default, on, off, or a time
 * @param millis for the JVM's flag, 0 for off; null: the JVM's default
 */
record SafepointInterval(String words, Long millis) {
    /** The flag of HotSpot. */
    static final String FLAG = "GuaranteedSafepointInterval";

    /** The word for the JVM's default. */
    static final String DEFAULT = "default";

    /** The value for a safepoint every second, the former default of JVMs. */
    static final String ON = "on";

    static final String OFF = "off";

    private static final long ON_MILLIS = 1_000;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(24);

    static SafepointInterval parse(String typed) {
        String words = typed.trim();
        return switch (words) {
            case DEFAULT -> new SafepointInterval(words, null);
            case ON -> new SafepointInterval(words, ON_MILLIS);
            case OFF -> new SafepointInterval(words, 0L);
            default -> of(words);
        };
    }

    private static SafepointInterval of(String words) {
        try {
            Duration time = Options.parseDuration(words);
            Checks.time("--safepoints", time, SHORTEST, LONGEST);
            require(
                    time.toNanos() % 1_000_000 == 0,
                    "--safepoints " + Units.typed(time) + " is not a whole number of milliseconds");
            return new SafepointInterval(Units.typed(time), time.toMillis());
        } catch (IllegalArgumentException malformed) {
            throw CommandException.usage(
                    "unknown safepoint interval '" + words + "'; known: default, on, off, or a time such as 100ms");
        }
    }

    /** Returns the default of this JVM, and the opposite. */
    static List<SafepointInterval> both(long defaultMillis) {
        return List.of(parse(DEFAULT), parse(defaultMillis > 0 ? OFF : ON));
    }

    /** {@return the flags that set it; diagnostic flags are unlocked for all, so that runs differ in the interval alone} */
    List<String> flags() {
        String unlock = "-XX:+UnlockDiagnosticVMOptions";
        return millis == null ? List.of(unlock) : List.of(unlock, "-XX:" + FLAG + "=" + millis);
    }
}
