package dev.baton.lab.command;

import dev.baton.lab.plan.Limit;
import dev.baton.lab.plan.Limits;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads limits such as {@code p99.9<100ms}. */
final class LimitConverter implements ITypeConverter<LimitConverter.Several> {
    /** Several at once, as one option. */
    record Several(List<Limit> limits) {}

    @Override
    public Several convert(String text) {
        try {
            return new Several(Limits.parse(text));
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException(malformed.getMessage());
        }
    }
}
