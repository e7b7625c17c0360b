package dev.baton.kafka;

import dev.baton.spi.options.ByteSize;
import java.time.Duration;

/** Range checks of the options, in one wording. */
final class Ranges {
    private Ranges() {}

    static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + "=" + value + " is not allowed; " + least + " to " + most);
        }
    }

    static void checkBytes(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + "=" + value + " is not allowed; " + ByteSize.range(least, most));
        }
    }

    static void check(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + "=" + text(value) + " is not allowed; " + text(least) + " to " + text(most));
        }
    }

    /** Returns a duration in milliseconds, or in ISO 8601 where these overflow. */
    private static String text(Duration duration) {
        return Math.abs(duration.toSeconds() / 1_000) < Long.MAX_VALUE / 1_000_000
                ? duration.toMillis() + "ms"
                : duration.toString();
    }
}
