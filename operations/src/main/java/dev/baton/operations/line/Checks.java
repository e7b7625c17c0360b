package dev.baton.operations.line;

import dev.baton.operations.terminal.Units;
import dev.baton.spi.ByteSize;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The one wording for a value that was typed and cannot be. Stateless, thread-safe. */
public final class Checks {
    private Checks() {}

    public static void require(boolean isTrue, String message) {
        if (!isTrue) {
            throw CommandException.usage(message);
        }
    }

    /** A whole number within the range, both ends included. */
    public static int integer(String option, BigDecimal value, int least, int most) {
        boolean isWhole = value.stripTrailingZeros().scale() <= 0;
        require(
                isWhole
                        && value.compareTo(BigDecimal.valueOf(least)) >= 0
                        && value.compareTo(BigDecimal.valueOf(most)) <= 0,
                option + " " + value.toPlainString() + " is " + (isWhole ? "out of range" : "not a whole number") + "; "
                        + least + " to " + most);
        return value.intValueExact();
    }

    /** A size in bytes within the range, both ends included. */
    public static int bytes(String option, BigDecimal value, int least, int most) {
        long bytes = value.longValueExact();
        require(
                bytes >= least && bytes <= most,
                option + " " + ByteSize.text(bytes) + " is out of range; " + ByteSize.range(least, most));
        return (int) bytes;
    }

    /** A time within the range, both ends included. */
    public static void time(String option, Duration value, Duration least, Duration most) {
        require(
                value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                option + " " + Units.typed(value) + " is out of range; " + Units.typed(least) + " to "
                        + Units.typed(most));
    }

    /** As people type a constant: {@code kill-service}. */
    public static String typed(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The one that was typed. @param kind what another one is not, such as {@code no case} */
    public static <E extends Enum<E>> E named(String option, String typed, String kind, Class<E> all) {
        return Arrays.stream(all.getEnumConstants())
                .filter(each -> typed(each).equals(typed))
                .findFirst()
                .orElseThrow(() -> CommandException.usage(option + " '" + typed + "' is " + kind + "; known: "
                        + Arrays.stream(all.getEnumConstants())
                                .map(Checks::typed)
                                .collect(Collectors.joining(", "))));
    }
}
