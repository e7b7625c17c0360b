package dev.baton.kafka;

import java.time.Duration;

/** Range checks of the options, in one wording. */
final class Ranges {
    private Ranges() {}

    static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + "=" + value + " is not allowed; " + least + " to " + most);
        }
    }

    static void check(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + "=" + value.toMillis() + "ms is not allowed; " + least.toMillis()
                    + "ms to " + most.toMillis() + "ms");
        }
    }
}
