package dev.baton.spi.options;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text form of sizes in bytes: a number, with an optional suffix {@code k}, {@code m} or {@code g} for powers of 1,024,
 * such as {@code 256}, {@code 4k}, {@code 1.5m} or {@code 2g}. Stateless, thread-safe.
 */
public final class ByteSize {
    /** The maximum number of digits: 19 are sufficient for every long, and the limit bounds the memory of the arithmetic. */
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,6})?)([kKmMgG]?)");

    private static final String UNITS = "kmg";
    private static final int UNIT_BITS = 10;

    private ByteSize() {}

    /**
     * {@return the number of bytes of a size in text form}
     *
     * @param text such as {@code 256}, {@code 4k}, {@code 64m} or {@code 1.5g}; the unit in either case
     * @throws IllegalArgumentException when the text is not a size, is not a whole number of bytes, or has more bytes
     *     than a {@code long} can hold
     */
    public static long parse(String text) {
        Matcher size = SIZE.matcher(text);
        if (size.matches()) {
            int unit = UNITS.indexOf(
                    size.group(2).isEmpty()
                            ? '-'
                            : Character.toLowerCase(size.group(2).charAt(0)));
            try {
                return new BigDecimal(size.group(1))
                        .multiply(BigDecimal.valueOf(1L << UNIT_BITS * (unit + 1)))
                        .longValueExact();
            } catch (ArithmeticException notWholeOrTooLarge) {
                // refused below, with the same message as a text without digits
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not a size; write one such as 256, 4k, 64m or 2g");
    }

    /**
     * {@return the text form of a size, with the largest unit of which it is a whole multiple}
     *
     * @param bytes number of bytes, from 0
     * @throws IllegalArgumentException for a negative number
     */
    public static String text(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size of " + bytes + " bytes; 0 and more are allowed");
        }
        long number = bytes;
        int units = 0;
        while (number != 0 && number % (1 << UNIT_BITS) == 0 && units < UNITS.length()) {
            number >>= UNIT_BITS;
            units++;
        }
        return units == 0 ? Long.toString(number) : Long.toString(number) + UNITS.charAt(units - 1);
    }

    /**
     * {@return the text form of a range, such as {@code 64k to 64m bytes}; both ends are included}
     *
     * @param least bytes, from 0
     * @param most bytes, from 0
     */
    public static String range(long least, long most) {
        return text(least) + " to " + text(most) + " bytes";
    }
}
