package dev.baton.operations.line;

import dev.baton.spi.Options;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads times such as {@code 500us}, {@code 20ms}, {@code 30s} or {@code 2m}. */
public final class TimeConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        if (text.startsWith("-")) {
            throw new TypeConversionException("'" + text + "' is negative; write a time such as 20ms or 30s");
        }
        try {
            return Options.parseDuration(text);
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException(malformed.getMessage());
        }
    }
}
