package dev.baton.spi.options;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The {@code key=value} options of a provider, checked against their {@link OptionSpec}s. All providers report errors in the
 * same way: for an unknown key the known ones, for a bad value the allowed values. Immutable, thread-safe.
 */
public final class Options {
    /** The pattern of a number in ASCII digits. Java's own parser also accepts digits of other scripts and a plus sign. */
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");

    private final String owner;
    private final Map<String, OptionSpec> specs;
    private final Map<String, String> values;

    /**
     * Checks the keys.
     *
     * @param owner owner of the options, for error texts
     * @param specs specs of all options
     * @param values values by name, as typed; a missing one has its default
     * @throws IllegalArgumentException for a key without a spec
     */
    public Options(String owner, List<OptionSpec> specs, Map<String, String> values) {
        this.owner = owner;
        this.specs = specs.stream().collect(Collectors.toUnmodifiableMap(OptionSpec::name, Function.identity()));
        this.values = Map.copyOf(values);
        for (String key : this.values.keySet()) {
            if (!this.specs.containsKey(key)) {
                throw new IllegalArgumentException(owner + ": unknown option '" + key + "'; known: "
                        + specs.stream()
                                .map(spec -> spec.name() + " (" + spec.allowed() + ")")
                                .collect(Collectors.joining(", ")));
            }
        }
    }

    private Options(Options other, Map<String, String> values) {
        this.owner = other.owner;
        this.specs = other.specs;
        this.values = Map.copyOf(values);
    }

    /**
     * {@return the value of an option, or its default}
     *
     * @param <T> type of its values
     * @param option option with one of the specs
     * @throws IllegalArgumentException when the value is not allowed
     */
    public <T> T get(Option<T> option) {
        return option.of(this);
    }

    /**
     * {@return these options with another value of one of them}
     *
     * @param <T> type of its values
     * @param option option with one of the specs
     * @param value its value; {@link #get} refuses one that is not allowed
     */
    public <T> Options with(Option<T> option, T value) {
        Map<String, String> changed = new HashMap<>(values);
        changed.put(spec(option.spec().name()).name(), option.typed(value));
        return new Options(this, changed);
    }

    /**
     * {@return the values of some options, or their defaults, as they would be typed; those without either are left out}
     *
     * @param options options, each with one of the specs
     * @throws IllegalArgumentException when a value is not allowed
     */
    public String typed(List<Option<?>> options) {
        return options.stream()
                .filter(option -> isGiven(option.spec().name())
                        || !option.spec().defaultValue().isEmpty())
                .map(option -> option.spec().name() + "=" + typed(option))
                .collect(Collectors.joining(" "));
    }

    private <T> String typed(Option<T> option) {
        return option.typed(get(option));
    }

    /**
     * {@return the value or the default, as text}
     *
     * @param name name of a spec
     */
    public String text(String name) {
        return values.getOrDefault(name, spec(name).defaultValue());
    }

    /**
     * {@return whether the caller gave a value}
     *
     * @param name name of a spec
     */
    public boolean isGiven(String name) {
        spec(name);
        return values.containsKey(name);
    }

    /**
     * {@return the value as a whole number}
     *
     * @param name name of a spec
     * @param least minimum value
     * @param most maximum value
     * @throws IllegalArgumentException for another value
     */
    public int integer(String name, int least, int most) {
        try {
            int value = Integer.parseInt(text(name));
            if (value >= least && value <= most && WHOLE.matcher(text(name)).matches()) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // refused below, with the same message as a number out of range
        }
        throw refused(name);
    }

    /**
     * {@return the value as a size in bytes, typed as {@code 4096}, {@code 4k} or {@code 64m}}
     *
     * @param name name of a spec
     * @param least bytes that are allowed
     * @param most bytes that are allowed
     * @throws IllegalArgumentException for another value
     */
    public int bytes(String name, int least, int most) {
        try {
            long value = ByteSize.parse(text(name));
            if (value >= least && value <= most) {
                return (int) value;
            }
        } catch (IllegalArgumentException malformed) {
            // refused below, with the same message as a size out of range
        }
        throw refused(name);
    }

    /**
     * {@return whether the value is {@code true}}
     *
     * @param name name of a spec
     * @throws IllegalArgumentException when it is not {@code false} either
     */
    public boolean flag(String name) {
        return switch (text(name)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refused(name);
        };
    }

    /**
     * {@return the value as a time, typed as {@code 500us}, {@code 20ms} or {@code 3s}}
     *
     * @param name name of a spec
     * @param least minimum value
     * @param most maximum value
     * @throws IllegalArgumentException for another value
     */
    public Duration duration(String name, Duration least, Duration most) {
        try {
            Duration value = parseDuration(text(name));
            if (value.compareTo(least) >= 0 && value.compareTo(most) <= 0) {
                return value;
            }
        } catch (IllegalArgumentException malformed) {
            // refused below, with the same message as a time out of range
        }
        throw refused(name);
    }

    /**
     * {@return the value as one of an enum's constants, typed in lower case with hyphens}
     *
     * @param <E> the enum
     * @param name name of a spec
     * @param type the enum's class
     * @throws IllegalArgumentException for another value
     */
    public <E extends Enum<E>> E choice(String name, Class<E> type) {
        return choice(name, List.of(type.getEnumConstants()));
    }

    /**
     * {@return the value as one of an enum's constants, typed in lower case with hyphens}
     *
     * @param <E> the enum
     * @param name name of a spec
     * @param allowed constants that are allowed
     * @throws IllegalArgumentException for another value
     */
    public <E extends Enum<E>> E choice(String name, List<E> allowed) {
        String typed = text(name).replace('-', '_').toUpperCase(Locale.ROOT);
        for (E constant : allowed) {
            if (constant.name().equals(typed)) {
                return constant;
            }
        }
        throw refused(name);
    }

    /**
     * {@return a time that is typed with its unit: {@code ns}, {@code us}, {@code ms}, {@code s}, {@code m} or {@code
     * h}}
     *
     * @param text such as {@code 20ms} or {@code 1.5s}
     * @throws IllegalArgumentException when it is not one, or negative, or longer than nanoseconds can be counted
     */
    public static Duration parseDuration(String text) {
        int unitAt = 0;
        while (unitAt < text.length() && "0123456789.".indexOf(text.charAt(unitAt)) >= 0) {
            unitAt++;
        }
        double nanosPerUnit = switch (text.substring(unitAt).trim()) {
            case "ns" -> 1;
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m", "min" -> 60e9;
            case "h" -> 3600e9;
            default ->
                throw new IllegalArgumentException(
                        "'" + text + "' is not a time; write a number and ns, us, ms, s, m or h, such as 20ms");
        };
        try {
            double nanos = Double.parseDouble(text.substring(0, unitAt)) * nanosPerUnit;
            if (nanos < Long.MAX_VALUE) {
                return Duration.ofNanos(Math.round(nanos));
            }
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException("'" + text + "' is not a time; write it like 20ms or 1.5s", malformed);
        }
        throw new IllegalArgumentException("'" + text + "' is too long; write a time such as 20ms or 30s");
    }

    private OptionSpec spec(String name) {
        OptionSpec spec = specs.get(name);
        if (spec == null) {
            throw new IllegalStateException(owner + " has no option '" + name + "'");
        }
        return spec;
    }

    /** Returns the exception for a value that is not allowed. */
    IllegalArgumentException refused(String name) {
        return new IllegalArgumentException(owner + ": " + name + "='" + text(name) + "' is not allowed; "
                + spec(name).allowed());
    }
}
