package dev.baton.disruptor;

import dev.baton.spi.options.ByteSize;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.util.List;
import java.util.Map;

/**
 * The sizes of the rings of a {@link DisruptorTransport}. A ring takes {@link #ringBytes} of direct memory, from the
 * moment its first writer is opened until the garbage collector finds it unused; the JVM's limit is {@code
 * -XX:MaxDirectMemorySize}. Immutable, thread-safe.
 *
 * @param slots frames that a topic holds unread before its writer is refused; a power of two, {@value #LEAST_SLOTS} to
 *     {@value #MOST_SLOTS}
 * @param maxPayload longest payload in bytes, 0 to {@value #LONGEST_PAYLOAD}; every slot has room for it
 */
public record DisruptorOptions(int slots, int maxPayload) {
    /** The fewest slots of a ring. */
    public static final int LEAST_SLOTS = 2;

    /** The most slots of a ring. */
    public static final int MOST_SLOTS = 1 << 20;

    /** The longest payload that {@link #maxPayload} may allow, in bytes. */
    public static final int LONGEST_PAYLOAD = 1 << 20;

    /** The most memory that one ring may take, in bytes. */
    public static final int MOST_RING_BYTES = 1 << 30;

    static final String SLOTS = "slots";
    static final String MAX_PAYLOAD = "max-payload";
    private static final DisruptorOptions DEFAULTS = new DisruptorOptions(1024, 1024);

    /** The options as text, for a provider. */
    static final List<OptionSpec> SPECS = List.of(
            new OptionSpec(
                    SLOTS,
                    Integer.toString(DEFAULTS.slots),
                    "a power of two, " + LEAST_SLOTS + " to " + MOST_SLOTS,
                    "frames that a topic holds unread before its writer is refused"),
            OptionSpec.ofBytes(
                    MAX_PAYLOAD,
                    DEFAULTS.maxPayload,
                    0,
                    LONGEST_PAYLOAD,
                    "",
                    "longest payload; every slot has room for it"),
            Durability.MEMORY_ONLY);

    /**
     * Checks the ranges.
     *
     * @param slots frames that a topic holds unread before its writer is refused
     * @param maxPayload longest payload in bytes, 0 to {@value #LONGEST_PAYLOAD}
     */
    public DisruptorOptions {
        if (slots < LEAST_SLOTS || slots > MOST_SLOTS || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException(
                    SLOTS + "=" + slots + " is not allowed; a power of two, " + LEAST_SLOTS + " to " + MOST_SLOTS);
        }
        if (maxPayload < 0 || maxPayload > LONGEST_PAYLOAD) {
            throw new IllegalArgumentException(
                    MAX_PAYLOAD + "=" + maxPayload + " is not allowed; " + ByteSize.range(0, LONGEST_PAYLOAD));
        }
        long bytes = (long) slots * SlottedRing.stride(maxPayload);
        if (bytes > MOST_RING_BYTES) {
            throw new IllegalArgumentException(
                    SLOTS + "=" + slots + " with " + MAX_PAYLOAD + "=" + maxPayload + " make a ring of " + bytes
                            + " bytes; at most " + ByteSize.text(MOST_RING_BYTES) + " are allowed");
        }
    }

    /**
     * {@return the defaults: 1024 slots with payloads of up to 1024 bytes, which is about a mebibyte for each topic}
     * The defaults of every transport carry a payload of 1024 bytes.
     */
    public static DisruptorOptions defaults() {
        return DEFAULTS;
    }

    /**
     * {@return these options with other {@link #slots}}
     *
     * @param newSlots a power of two, {@value #LEAST_SLOTS} to {@value #MOST_SLOTS}
     */
    public DisruptorOptions withSlots(int newSlots) {
        return new DisruptorOptions(newSlots, maxPayload);
    }

    /**
     * {@return these options with another {@link #maxPayload}}
     *
     * @param newMaxPayload bytes, 0 to {@value #LONGEST_PAYLOAD}
     */
    public DisruptorOptions withMaxPayload(int newMaxPayload) {
        return new DisruptorOptions(slots, newMaxPayload);
    }

    /** {@return the bytes of direct memory that the slots of one topic take} */
    public int ringBytes() {
        return slots * SlottedRing.stride(maxPayload);
    }

    /** Parses {@code key=value} options; missing ones have their defaults. */
    static DisruptorOptions parse(Map<String, String> typed) {
        Options options = new Options(DisruptorProvider.NAME, SPECS, typed);
        options.choice(Durability.OPTION, List.of(Durability.MEMORY)); // or refuses it
        return new DisruptorOptions(
                options.integer(SLOTS, LEAST_SLOTS, MOST_SLOTS), options.bytes(MAX_PAYLOAD, 0, LONGEST_PAYLOAD));
    }
}
