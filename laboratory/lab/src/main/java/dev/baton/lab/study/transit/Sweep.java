package dev.baton.lab.study.transit;

import dev.baton.operations.line.NumberConverter;
import dev.baton.operations.options.SizeConverter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The rates and sizes of a grid. Immutable, thread-safe.
 *
 * @param rates rising, tenfold from one to the next; null for the one of {@code --rate}
 * @param sizes rising, doubling from one to the next; null for the one of {@code --size}
 */
record Sweep(List<BigDecimal> rates, List<BigDecimal> sizes) {
    static final String STEPS = "rates in steps of ten, sizes doubling, and the upper end"; // how the points lie

    private static final String GRAMMAR = "write it like rate=1k..1m,size=64..4096, or one of the two";
    private static final int MOST_POINTS = 50;

    /** Parses a sweep from the command line. Stateless, thread-safe. */
    static final class Converter implements ITypeConverter<Sweep> {
        @Override
        public Sweep convert(String text) throws Exception {
            List<BigDecimal> rates = null;
            List<BigDecimal> sizes = null;
            for (String axis : text.split(",", -1)) {
                String range = axis.substring(axis.indexOf('=') + 1);
                if (axis.startsWith("rate=") && rates == null) {
                    rates = points(axis, range, 10, new NumberConverter());
                } else if (axis.startsWith("size=") && sizes == null) {
                    sizes = points(axis, range, 2, new SizeConverter());
                } else {
                    throw new TypeConversionException("'" + text + "' is not a sweep; " + GRAMMAR);
                }
            }
            return new Sweep(rates, sizes);
        }

        private static List<BigDecimal> points(
                String axis, String range, int factor, ITypeConverter<BigDecimal> numbers) throws Exception {
            String[] ends = range.split("\\.\\.", -1);
            if (ends.length > 2) {
                throw new TypeConversionException("'" + axis + "' is not a range; " + GRAMMAR);
            }
            BigDecimal first = numbers.convert(ends[0]);
            BigDecimal last = numbers.convert(ends[ends.length - 1]);
            if (first.signum() <= 0 || last.compareTo(first) < 0) {
                throw new TypeConversionException(
                        "'" + axis + "' is not a range: from a number above 0 to one that is not less; " + GRAMMAR);
            }
            List<BigDecimal> points = new ArrayList<>();
            for (BigDecimal each = first; each.compareTo(last) < 0; each = each.multiply(BigDecimal.valueOf(factor))) {
                points.add(each);
                if (points.size() == MOST_POINTS) {
                    throw new TypeConversionException("'" + axis + "' has more than " + MOST_POINTS + " points");
                }
            }
            points.add(last);
            return List.copyOf(points);
        }
    }
}
