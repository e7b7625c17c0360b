package dev.baton.spi.options;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One option of a transport, written once: its name, its default, the values that it allows, and its description. {@link
 * Options#get} reads its value and {@link Options#with} sets it. Immutable, thread-safe.
 *
 * @param <T> type of its values
 */
public final class Option<T> {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final OptionSpec spec;
    private final BiFunction<Options, String, T> reading;
    private final Function<T, String> writing;

    private Option(OptionSpec spec, BiFunction<Options, String, T> reading, Function<T, String> writing) {
        this.spec = spec;
        this.reading = reading;
        this.writing = writing;
    }

    /**
     * {@return an option whose value its owner parses}
     *
     * @param <T> type of the values
     * @param spec description of the option
     * @param parser parser of a typed value, which throws an {@link IllegalArgumentException} for one that is not allowed
     * @param writer returns a value as it would be typed
     */
    public static <T> Option<T> of(OptionSpec spec, Function<String, T> parser, Function<T, String> writer) {
        return new Option<>(spec, (options, name) -> parser.apply(options.text(name)), writer);
    }

    /**
     * {@return an option that is text}
     *
     * @param name name as typed before the equals sign
     * @param value the default; empty if there is none
     * @param allowed description of the values
     * @param description one line
     */
    public static Option<String> text(String name, String value, String allowed, String description) {
        return of(new OptionSpec(name, value, allowed, description), Function.identity(), Function.identity());
    }

    /**
     * {@return an option that is a whole number}
     *
     * @param name name as typed before the equals sign
     * @param value the default
     * @param least minimum value
     * @param most maximum value
     * @param more unit or further restriction that follows the range, such as {@code , a power of two}; or empty
     * @param description one line
     */
    public static Option<Integer> number(String name, int value, int least, int most, String more, String description) {
        return new Option<>(
                new OptionSpec(name, Integer.toString(value), least + " to " + most + more, description),
                (options, of) -> options.integer(of, least, most),
                String::valueOf);
    }

    /**
     * {@return an option that is a size in bytes}
     *
     * @param name name as typed before the equals sign
     * @param value the default
     * @param least minimum number of bytes
     * @param most maximum number of bytes
     * @param more further restriction that follows the range, such as {@code , a power of two}; or empty
     * @param description one line
     */
    public static Option<Integer> bytes(String name, int value, int least, int most, String more, String description) {
        return new Option<>(
                OptionSpec.ofBytes(name, value, least, most, more, description),
                (options, of) -> options.bytes(of, least, most),
                size -> size < 0 ? Integer.toString(size) : ByteSize.text(size));
    }

    /**
     * {@return an option that is a time}
     *
     * @param name name as typed before the equals sign
     * @param value the default, as typed
     * @param least minimum value, as typed
     * @param most maximum value, as typed
     * @param description one line
     */
    public static Option<Duration> time(String name, String value, String least, String most, String description) {
        Duration shortest = Options.parseDuration(least);
        Duration longest = Options.parseDuration(most);
        return new Option<>(
                new OptionSpec(name, value, least + " to " + most, description),
                (options, of) -> options.duration(of, shortest, longest),
                Option::text);
    }

    /**
     * {@return an option that is true or false}
     *
     * @param name name as typed before the equals sign
     * @param value the default, as typed; empty if there is none
     * @param description one line
     */
    public static Option<Boolean> flag(String name, String value, String description) {
        return new Option<>(new OptionSpec(name, value, "true or false", description), Options::flag, String::valueOf);
    }

    /**
     * {@return an option that is one of some constants, typed in lower case with hyphens}
     *
     * @param <E> the enum
     * @param name name as typed before the equals sign
     * @param value the default
     * @param more restriction or reason that follows the list of the values; or empty
     * @param description one line
     * @param allowed the constants that are allowed; at least two
     */
    public static <E extends Enum<E>> Option<E> choice(
            String name, E value, String more, String description, List<E> allowed) {
        String last = typed(allowed.get(allowed.size() - 1));
        String others =
                allowed.stream().limit(allowed.size() - 1L).map(Option::typed).collect(Collectors.joining(", "));
        return new Option<>(
                new OptionSpec(name, typed(value), others + " or " + last + more, description),
                (options, of) -> options.choice(of, allowed),
                Option::typed);
    }

    /**
     * {@return this option with a further restriction}
     *
     * @param isAllowed whether a value is allowed, as the description says
     */
    public Option<T> where(Predicate<T> isAllowed) {
        return new Option<>(
                spec,
                (options, name) -> {
                    T value = reading.apply(options, name);
                    if (!isAllowed.test(value)) {
                        throw options.refused(name);
                    }
                    return value;
                },
                writing);
    }

    /** {@return the description of this option} */
    public OptionSpec spec() {
        return spec;
    }

    /** Returns the value that some options have. */
    T of(Options options) {
        return reading.apply(options, spec.name());
    }

    /**
     * {@return a value as it would be typed}
     *
     * @param value value of this option
     */
    public String typed(T value) {
        return writing.apply(value);
    }

    /** Returns the name, for messages. */
    @Override
    public String toString() {
        return spec.name();
    }

    private static String typed(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns a time in the largest unit in which it is a whole number; in ISO 8601, which is refused, if it cannot be typed. */
    private static String text(Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            return time.toString();
        }
        if (time.toSecondsPart() == 0 && time.toNanosPart() == 0 && time.toMinutes() != 0) {
            return time.toMinutesPart() == 0 ? time.toHours() + "h" : time.toMinutes() + "m";
        }
        if (time.toNanosPart() == 0) {
            return time.toSeconds() + "s";
        }
        if (time.toNanosPart() % 1_000_000 == 0) {
            return time.toMillis() + "ms";
        }
        return time.toNanosPart() % 1_000 == 0 ? time.toNanos() / 1_000 + "us" : time.toNanos() + "ns";
    }
}
