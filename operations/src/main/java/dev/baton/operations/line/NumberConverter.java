package dev.baton.operations.line;

import java.math.BigDecimal;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads numbers, {@code k} and {@code m} for thousands and millions allowed: {@code 1000}, {@code 0.5}, {@code 20k}. */
public final class NumberConverter implements ITypeConverter<BigDecimal> {
    /** Nothing that is counted here has more digits; beyond, writing a number out could fill the memory. */
    private static final int MOST_DIGITS = 30;

    @Override
    public BigDecimal convert(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        int power = lower.endsWith("k") ? 3 : lower.endsWith("m") ? 6 : 0;
        String digits = power == 0 ? lower : lower.substring(0, lower.length() - 1);
        try {
            if (digits.length() <= MOST_DIGITS && digits.chars().allMatch(each -> each < 128)) {
                BigDecimal number = new BigDecimal(digits);
                if (Math.abs((long) number.scale()) <= MOST_DIGITS) {
                    return number.scaleByPowerOfTen(power);
                }
            }
            throw new NumberFormatException(text);
        } catch (NumberFormatException malformed) {
            throw new TypeConversionException("'" + text + "' is not a number; write one such as 1000, 0.5 or 20k");
        }
    }
}
