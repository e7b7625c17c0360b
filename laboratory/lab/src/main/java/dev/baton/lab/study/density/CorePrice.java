package dev.baton.lab.study.density;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The price of a core for an hour, in the currency of the command line. Immutable, thread-safe.
 *
 * @param amount above 0
 * @param before currency in front of an amount, such as {@code $}; usually empty
 * @param after currency behind an amount, such as {@code EUR}; usually empty
 */
public record CorePrice(double amount, String before, String after) {
    private static final String CURRENCY = "([^\\p{Cntrl}\\d\\s.,+-]{0,8})";
    private static final Pattern TYPED = Pattern.compile(CURRENCY + " ?(\\d{1,9}(?:\\.\\d{1,9})?) ?" + CURRENCY);
    private static final int DIGITS = 3;

    /** An amount in the same currency, to three digits. */
    public String text(double other) {
        String number = other == 0 ? "0" : String.format(Locale.ROOT, "%,." + decimals(other) + "f", other);
        return inCurrency(number);
    }

    private String inCurrency(String number) {
        String front = before.isEmpty() ? "" : before + (before.length() == 1 ? "" : " ");
        return front + number + (after.isEmpty() ? "" : " " + after);
    }

    /** {@return the price as given on the command line} */
    @Override
    public String toString() {
        return inCurrency(BigDecimal.valueOf(amount).stripTrailingZeros().toPlainString());
    }

    /** {@return the currency as given on the command line; empty for none} */
    public String currency() {
        return before + after;
    }

    private static int decimals(double other) {
        return (int) Math.max(0, DIGITS - 1 - Math.floor(Math.log10(other)));
    }

    /** Reads a number with a currency before or behind it, or with none. Stateless, thread-safe. */
    public static final class Converter implements ITypeConverter<CorePrice> {
        @Override
        public CorePrice convert(String text) {
            Matcher matcher = TYPED.matcher(text.trim());
            if (!matcher.matches()
                    || !matcher.group(1).isEmpty() && !matcher.group(3).isEmpty()) {
                throw refused(text);
            }
            double amount = Double.parseDouble(matcher.group(2));
            if (amount == 0) {
                throw refused(text);
            }
            return new CorePrice(amount, matcher.group(1), matcher.group(3));
        }

        private static TypeConversionException refused(String text) {
            return new TypeConversionException(
                    "'" + text + "' is not a price above 0; write one such as 0.04, '0.04 EUR' or '$0.04'");
        }
    }
}
