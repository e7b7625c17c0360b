package dev.baton.operations.line;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes in bytes, {@code k}, {@code m} and {@code g} of 1,024 each allowed: {@code 256}, {@code 4k}, {@code 64m}. */
public final class SizeConverter implements ITypeConverter<BigDecimal> {
    private static final Pattern SIZE = Pattern.compile("(-?[0-9]{1,12}(?:\\.[0-9]{1,6})?)([kmg]?)");

    @Override
    public BigDecimal convert(String text) {
        Matcher size = SIZE.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!size.matches()) {
            throw new TypeConversionException("'" + text + "' is not a size; write one such as 256, 4k, 64m or 2g");
        }
        int shift = switch (size.group(2)) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
        };
        return new BigDecimal(size.group(1)).multiply(BigDecimal.valueOf(1L << shift));
    }
}
