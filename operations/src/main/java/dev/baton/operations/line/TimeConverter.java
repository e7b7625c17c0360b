package dev.baton.operations.line;

import dev.baton.spi.Options;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads times such as {@code 500us}, {@code 20ms}, {@code 30s} or {@code 2m}. */
public final class TimeConverter implements ITypeConverter<Duration> {
    /** A year: what is longer was hardly meant, and overflows when nanoseconds are counted from now. */
    private static final Duration LONGEST = Duration.ofHours(8_760);

    @Override
    public Duration convert(String text) {
        if (text.startsWith("-")) {
            throw new TypeConversionException("'" + text + "' is negative; write a time such as 20ms or 30s");
        }
        try {
            Duration time = Options.parseDuration(text);
            if (time.compareTo(LONGEST) > 0) {
                throw new TypeConversionException(
                        "'" + text + "' is too long; write a time such as 20ms or 30s, at most 8760h");
            }
            return time;
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException(malformed.getMessage());
        }
    }
}
