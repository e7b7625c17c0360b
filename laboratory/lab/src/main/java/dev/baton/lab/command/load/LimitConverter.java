package dev.baton.lab.command.load;

import dev.baton.lab.request.Limit;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads limits such as {@code p99.9<100ms}. */
public final class LimitConverter implements ITypeConverter<LimitConverter.Several> {
    /** Several at once, as one option. */
    public record Several(List<Limit> limits) {}

    @Override
    public Several convert(String text) {
        try {
            return new Several(Limit.parse(text));
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException(malformed.getMessage());
        }
    }
}
