package dev.baton.operations.line;

import dev.baton.operations.terminal.Units;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.ByteSize;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks of values from the command line, with one wording for all refusals. Stateless, thread-safe. */
public final class Checks {
    /** Characters by which a name may differ from a similar one. */
    private static final int MOST_EDITS = 2;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private Checks() {}

    public static void require(boolean isTrue, String message) {
        if (!isTrue) {
            throw CommandException.usage(message);
        }
    }

    /** {@return whether a text is empty or contains only blanks, no-break spaces included} */
    public static boolean isBlank(String typed) {
        return typed.codePoints().allMatch(each -> Character.isWhitespace(each) || Character.isSpaceChar(each));
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

    /** Checks the name of a consumer or a process from the command line. */
    public static String name(String option, String typed) {
        require(
                NAME.matcher(typed).matches(),
                option + " '" + typed
                        + "'; allowed are up to 100 letters, digits, '.', '_' and '-', beginning with a letter or digit");
        return typed;
    }

    /**
     * Calls a supplier, and reports an illegal argument as a usage error.
     *
     * @param prefix of the error's text
     */
    public static <T> T allowed(String prefix, Supplier<T> use) {
        try {
            return use.get();
        } catch (IllegalArgumentException refused) {
            throw CommandException.usage(prefix + refused.getMessage(), refused);
        }
    }

    /**
     * Calls a supplier that uses a transport: an unsupported operation is a usage error, a failed transport an error of the environment.
     */
    public static <T> T possible(Supplier<T> use) {
        try {
            return allowed("", use);
        } catch (UnsupportedOperationException wrong) {
            throw CommandException.usage(wrong.getMessage(), wrong);
        } catch (TransportException failed) {
            throw CommandException.environment(failed.getMessage(), failed);
        }
    }

    /** Returns the question whether a similar name was meant, to follow a complaint; empty if none is similar. */
    public static String meant(String typed, Collection<String> known) {
        return known.stream()
                .filter(name -> distance(typed, name) <= MOST_EDITS)
                .min(Comparator.comparingInt(name -> distance(typed, name)))
                .map(name -> "; did you mean '" + name + "'?")
                .orElse("");
    }

    /** Returns the number of characters to insert, delete or replace. */
    private static int distance(String one, String other) {
        int[] above = new int[other.length() + 1];
        Arrays.setAll(above, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = above[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[other.length()];
    }

    /** {@return a constant as it is written on the command line: {@code kill-service}} */
    public static String typed(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the constant with a name from the command line.
     *
     * @param kind text for an unknown name, such as {@code not a case}
     */
    public static <E extends Enum<E>> E named(String option, String typed, String kind, Class<E> all) {
        return Arrays.stream(all.getEnumConstants())
                .filter(each -> typed(each).equals(typed))
                .findFirst()
                .orElseThrow(() -> CommandException.usage(option + " '" + typed + "' is " + kind + "; known: "
                        + Arrays.stream(all.getEnumConstants())
                                .map(Checks::typed)
                                .collect(Collectors.joining(", "))));
    }

    /**
     * Returns the one of some constants that has a name from the command line.
     *
     * @param known two or more, in the order of the error text
     */
    public static <E extends Enum<E>> E known(String option, String typed, List<E> known) {
        List<String> words = known.stream().map(Checks::typed).toList();
        require(
                words.contains(typed),
                option + " '" + typed + "' is not known; " + String.join(", ", words.subList(0, words.size() - 1))
                        + " or " + words.get(words.size() - 1));
        return known.get(words.indexOf(typed));
    }
}
