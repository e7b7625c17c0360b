package dev.baton.lab.command;

import dev.baton.operations.line.NumberConverter;
import java.math.BigDecimal;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a rate: a number as {@link NumberConverter} does, or {@code max}. Stateless, thread-safe. */
final class RateConverter implements ITypeConverter<RateConverter.Typed> {
    private static final String MAX = "max";

    /** A rate as typed. @param perSecond null for as much as goes through */
    record Typed(BigDecimal perSecond) {
        boolean isMax() {
            return perSecond == null;
        }
    }

    @Override
    public Typed convert(String text) {
        if (text.equals(MAX)) {
            return new Typed(null);
        }
        try {
            return new Typed(new NumberConverter().convert(text));
        } catch (TypeConversionException notANumber) {
            throw new TypeConversionException(notANumber.getMessage() + ", or " + MAX);
        }
    }
}
