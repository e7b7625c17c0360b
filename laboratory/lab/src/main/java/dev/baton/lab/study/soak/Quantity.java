package dev.baton.lab.study.soak;

import dev.baton.lab.results.ResourceUsage;
import dev.baton.lab.results.Second;
import java.util.function.Function;

/** The quantities that a soak observes, with their allowed growth. Immutable, thread-safe. */
enum Quantity {
    HEAP("heap after collection", Trend.Unit.BYTES, Allowance.bytes(3), held(ResourceUsage::heapBytes)),
    ANONYMOUS("memory, anonymous", Trend.Unit.BYTES, Allowance.bytes(16), held(ResourceUsage::anonymousBytes)),
    FILES("memory, file-backed", Trend.Unit.BYTES, Allowance.files(16), held(ResourceUsage::fileBytes)),
    DIRECT("direct buffers", Trend.Unit.BYTES, Allowance.bytes(2), held(ResourceUsage::directBytes)),
    DISK("disk of the queues", Trend.Unit.BYTES, Allowance.files(16), held(ResourceUsage::diskBytes)),
    DESCRIPTORS("descriptors", Trend.Unit.COUNT, Allowance.none(), held(ResourceUsage::descriptors)),
    THREADS("threads", Trend.Unit.COUNT, Allowance.none(), held(ResourceUsage::threads)),
    MAPS("memory maps", Trend.Unit.COUNT, new Allowance(100, 0.05, 32), held(ResourceUsage::maps)),
    IN_FLIGHT("messages in flight", Trend.Unit.COUNT, new Allowance(0, 0.5, 1_000), second -> null),
    MEDIAN("p50 response", Trend.Unit.NANOS, new Allowance(200_000, 0.5, 200_000), Second::p50Nanos),
    TAIL("p99 response", Trend.Unit.NANOS, new Allowance(2_000_000, 0.5, 2_000_000), Second::p99Nanos),
    CPU("CPU of the JVM", Trend.Unit.CORES, new Allowance(0.1, 0.25, 0.1), Second::jvmCpuCores);

    final String words;
    final Trend.Unit unit;
    final Allowance allowance;
    private final Function<Second, Number> value;

    Quantity(String words, Trend.Unit unit, Allowance allowance, Function<Second, Number> value) {
        this.words = words;
        this.unit = unit;
        this.allowance = allowance;
        this.value = value;
    }

    private static Function<Second, Number> held(Function<ResourceUsage, Long> figure) {
        return second -> second.holding() == null ? null : figure.apply(second.holding());
    }

    /** Returns the quantity in a second; null: unknown. Messages in flight are counted over all seconds, not in one. */
    Double in(Second second) {
        Number number = value.apply(second);
        return number == null ? null : Double.valueOf(number.doubleValue());
    }

    /** {@return whether other processes of the machine change it: always, or when the chains fall behind because of them} */
    boolean isDisturbed(boolean isBehind) {
        return switch (this) {
            case MEDIAN, TAIL, CPU, IN_FLIGHT -> true;
            case DISK, FILES -> isBehind;
            default -> false;
        };
    }

    /**
     * The growth of a quantity below which it is no trend: the largest of three amounts. Amounts per hour count for a limited number of
     * hours: unlimited growth is a leak, however slow, and a long soak has to detect it. Immutable, thread-safe.
     *
     * @param sharePerHour of its value at the beginning
     * @param ever for any duration: growth of a JVM after a warm-up, such as compiled code
     * @param mostHours after which no more growth is allowed
     */
    record Allowance(double perHour, double sharePerHour, double ever, double mostHours) {
        private static final double MEGA = 1 << 20;
        private static final double DAY = 24;

        /** Creates an allowance whose growth in one hour is the whole allowed growth. */
        Allowance(double perHour, double sharePerHour, double ever) {
            this(perHour, sharePerHour, ever, 1);
        }

        /** Twenty megabytes an hour, or a twentieth. */
        static Allowance bytes(double everMegabytes) {
            return new Allowance(20 * MEGA, 0.05, everMegabytes * MEGA);
        }

        /**
         * Returns the allowance for files, limited to a day: a topic of Chronicle keeps its index, half a byte per excerpt, until its file
         * rolls, which is daily by default.
         */
        static Allowance files(double everMegabytes) {
            return new Allowance(20 * MEGA, 0.05, everMegabytes * MEGA, DAY);
        }

        /** Returns an allowance of zero. */
        static Allowance none() {
            return new Allowance(0, 0, 0.5);
        }

        double over(double hours, double level) {
            return Math.max(ever, Math.min(hours, mostHours) * Math.max(perHour, sharePerHour * level));
        }
    }
}
