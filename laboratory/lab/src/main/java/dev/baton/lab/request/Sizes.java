package dev.baton.lab.request;

import dev.baton.measuring.Mix;
import dev.baton.spi.options.ByteSize;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/**
 * The lengths of payloads that are not all equal. Immutable, thread-safe.
 *
 * @param kind kind of the distribution
 * @param first the shortest length, or the median
 * @param second the longest length, or the standard deviation of the logarithm
 * @param file lengths in order; null for a distribution
 */
public record Sizes(Kind kind, double first, double second, DataFile file) {
    public static final String GRAMMAR = "4k, 32..1024, lognormal:128,0.5 or file:FILE";

    /** Lengths drawn from a distribution; they repeat in this order. */
    private static final int DRAWN = 1 << 16;

    /** A length of a lognormal distribution that lies further from the median is cut: one of 30,000. */
    private static final double MOST_DEVIATIONS = 4;

    private static final String RANGE = "..";
    private static final String LOGNORMAL = "lognormal:";
    private static final String FILE = "file:";

    /** The kinds of distributions. */
    public enum Kind {
        /** Each length between the shortest and the longest is equally likely. */
        UNIFORM,
        /** The logarithm of the length has a normal distribution. */
        LOGNORMAL,
        /** The lengths of a file in order. */
        FILE
    }

    public Sizes {
        Objects.requireNonNull(kind, "kind");
    }

    /**
     * Reads {@link #GRAMMAR}.
     *
     * @return null for a text that is the length of all payloads
     * @throws IllegalArgumentException for a malformed distribution, and a file that cannot be read
     */
    public static Sizes of(String text) {
        if (text.startsWith(FILE)) {
            return of(DataFile.of(Path.of(text.substring(FILE.length())), false));
        }
        int range = text.indexOf(RANGE);
        try {
            if (text.startsWith(LOGNORMAL)) {
                String[] values = text.substring(LOGNORMAL.length()).split(",", -1);
                Sizes sizes = new Sizes(Kind.LOGNORMAL, ByteSize.parse(values[0]), Double.parseDouble(values[1]), null);
                if (values.length == 2 && sizes.first >= 1 && sizes.second > 0 && sizes.second <= 3) {
                    return sizes;
                }
            } else if (range >= 0) {
                Sizes sizes = new Sizes(
                        Kind.UNIFORM,
                        ByteSize.parse(text.substring(0, range)),
                        ByteSize.parse(text.substring(range + RANGE.length())),
                        null);
                if (sizes.first < sizes.second) {
                    return sizes;
                }
            } else {
                return null;
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
            // refused below, with the grammar
        }
        throw new IllegalArgumentException("'" + text + "' is no distribution of sizes; " + GRAMMAR
                + ", with the shorter length first, and a median from 1 and a sigma from 0 to 3");
    }

    /** Returns the lengths of a file. */
    public static Sizes of(DataFile file) {
        return new Sizes(Kind.FILE, 0, 0, file);
    }

    /** {@return the greatest possible length} Reads the file. */
    public long maxBytes() {
        return switch (kind) {
            case UNIFORM -> (long) second;
            case LOGNORMAL -> (long) (first * Math.exp(MOST_DEVIATIONS * second));
            case FILE -> file.read(false).maxBytes();
        };
    }

    /** {@return the lengths of messages in order, to be repeated} Reads the file. @param seed of what is drawn */
    public int[] lengths(long seed) {
        if (kind == Kind.FILE) {
            return file.read(false).bytes();
        }
        int[] lengths = new int[DRAWN];
        Arrays.setAll(lengths, i -> kind == Kind.UNIFORM ? uniform(seed, i) : lognormal(seed, i));
        return lengths;
    }

    private int uniform(long seed, int number) {
        return (int) (first + Math.floor(Mix.uniform(seed, number) * (second - first + 1)));
    }

    /** Draws from a normal distribution by the method of Box and Muller. */
    private int lognormal(long seed, int number) {
        double radius = Math.sqrt(2 * Mix.exponential(seed, 2L * number));
        double deviations = radius * Math.cos(2 * Math.PI * Mix.uniform(seed, 2L * number + 1));
        return (int) (first * Math.exp(second * Math.max(-MOST_DEVIATIONS, Math.min(MOST_DEVIATIONS, deviations))));
    }

    @Override
    public String toString() {
        return switch (kind) {
            case UNIFORM -> (long) first + RANGE + (long) second;
            case LOGNORMAL -> LOGNORMAL + (long) first + "," + second;
            case FILE -> FILE + Path.of(file.path()).getFileName();
        };
    }
}
