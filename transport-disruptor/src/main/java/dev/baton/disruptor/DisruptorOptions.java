package dev.baton.disruptor;

import dev.baton.spi.options.ByteSize;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.Option;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.util.List;
import java.util.Map;

/**
 * The sizes of the rings of a {@link DisruptorTransport}: {@code DisruptorOptions.defaults().with(DisruptorOptions.SLOTS, 64)}.
 * A ring takes {@link #ringBytes} of direct memory, from the moment its first writer is opened until the garbage collector finds
 * it unused; the JVM's limit is {@code -XX:MaxDirectMemorySize}. Immutable, thread-safe.
 */
public final class DisruptorOptions {
    /** Frames that a topic holds unread before its writer has to wait. */
    public static final Option<Integer> SLOTS = Option.number(
                    "slots",
                    1024,
                    2,
                    1 << 20,
                    ", a power of two",
                    "frames that a topic holds unread before its writer has to wait")
            .where(slots -> Integer.bitCount(slots) == 1);

    /** Longest payload in bytes; the defaults of every transport carry 1024. */
    public static final Option<Integer> MAX_PAYLOAD =
            Option.bytes("max-payload", 1024, 0, 1 << 20, "", "longest payload; every slot has room for it");

    private static final int MOST_RING_BYTES = 1 << 30;

    /** The options as text, for a provider. */
    static final List<OptionSpec> SPECS = List.of(SLOTS.spec(), MAX_PAYLOAD.spec(), Durability.MEMORY_ONLY.spec());

    private static final DisruptorOptions DEFAULTS = parse(Map.of());

    private final Options options;

    private DisruptorOptions(Options options) {
        this.options = options;
        options.get(Durability.MEMORY_ONLY); // or refuses it
        long bytes = (long) get(SLOTS) * SlottedRing.stride(get(MAX_PAYLOAD));
        if (bytes > MOST_RING_BYTES) {
            throw new IllegalArgumentException(DisruptorProvider.NAME + ": " + this + " make a ring of " + bytes
                    + " bytes; at most " + ByteSize.text(MOST_RING_BYTES) + " are allowed");
        }
    }

    /** {@return the defaults, with about a mebibyte for each topic} */
    public static DisruptorOptions defaults() {
        return DEFAULTS;
    }

    /** Parses {@code key=value} options; missing ones have their defaults. */
    static DisruptorOptions parse(Map<String, String> typed) {
        return new DisruptorOptions(new Options(DisruptorProvider.NAME, SPECS, typed));
    }

    /**
     * {@return the value of an option}
     *
     * @param <T> type of its values
     * @param option one of the constants of this class
     */
    public <T> T get(Option<T> option) {
        return options.get(option);
    }

    /**
     * {@return these options with another value of one of them}
     *
     * @param <T> type of its values
     * @param option one of the constants of this class
     * @param value its value
     * @throws IllegalArgumentException when the value is not allowed, or not with the other option
     */
    public <T> DisruptorOptions with(Option<T> option, T value) {
        return new DisruptorOptions(options.with(option, value));
    }

    /** {@return the bytes of direct memory that the slots of one topic take} */
    public int ringBytes() {
        return get(SLOTS) * SlottedRing.stride(get(MAX_PAYLOAD));
    }

    /** Returns the options as typed. */
    @Override
    public String toString() {
        return options.typed(List.of(SLOTS, MAX_PAYLOAD));
    }
}
