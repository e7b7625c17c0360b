package dev.baton.lab.study.density;

import dev.baton.disruptor.DisruptorOptions;
import java.util.Map;

/**
 * What one instance needs of a machine, and what a trial needs besides. The figures of a topic come from reading {@code
 * /proc} and the class histogram of trials with 20 and 200 chains of six topics; what was found is in the comments, what
 * is asked for is rounded up.
 *
 * @param heapPerTopic bytes on the heap
 * @param directPerTopic bytes outside of it
 * @param descriptorsPerTopic in the process that has the topic's files open
 * @param mapsPerTopic likewise
 * @param filePerTopic bytes that a topic takes before its first message
 * @param filePerFrame bytes beside the payload that a message takes in a topic; 0 when nothing is written
 * @param fileMost bytes that a topic takes at most, however long it is written to
 * @param youngMost bytes of a young generation that is collected within a fraction of the usual limits
 */
record Footprint(
        long heapPerTopic,
        long directPerTopic,
        double descriptorsPerTopic,
        double mapsPerTopic,
        long filePerTopic,
        long filePerFrame,
        long fileMost,
        long youngMost) {
    private static final long KILO = 1 << 10;
    private static final long MEGA = 1 << 20;

    private static final long UNBOUNDED = Long.MAX_VALUE;

    /** Of a transport that the laboratory does not know, which writes files. */
    private static final Footprint FILING = new Footprint(256 * KILO, 0, 4, 4, MEGA, 128, UNBOUNDED, UNBOUNDED);

    /** Of one that does not. */
    private static final Footprint UNKNOWN = new Footprint(256 * KILO, 256 * KILO, 0, 0, 0, 0, UNBOUNDED, UNBOUNDED);

    /**
     * The objects around a mapped block live as long as it is mapped, 16 s at 1,000 messages a second: a collection copies
     * nearly all that was allocated. At 900 chains it stopped all loops for 15 ms every 7 s with 16 MB, 20 ms every 15 s
     * with 32, 48 ms with 100, and 85 to 101 ms every two minutes with 280, which alone broke a limit of 100 ms
     * (docs/decisions/007).
     */
    private static final long CHRONICLE_YOUNG = 16 * MEGA;

    /** Found: 20 KB of heap, 2 descriptors, 4 maps with the next block and the last one, at most 69 bytes a frame. */
    private static final Footprint CHRONICLE =
            new Footprint(48 * KILO, 0, 2, 4.5, 128 * KILO, 72, UNBOUNDED, CHRONICLE_YOUNG);

    /** Blocks that a topic takes while what has been read is freed: two, and what consumers lag in an overload. */
    private static final long UNREAD_BLOCKS = 4;

    private static final long CHRONICLE_BLOCK = 256 * KILO;

    /** Found: 107 KB of heap; in the broker 1 descriptor and 2 maps; 64 bytes a frame when batched. */
    private static final Footprint KAFKA =
            new Footprint(256 * KILO, 64 * KILO, 3, 3, 64 * KILO, 128, UNBOUNDED, UNBOUNDED);

    /** Of a topic of this transport, with the options that it is opened with. */
    static Footprint of(String transport, Map<String, String> options, boolean isDurable) {
        return switch (transport) {
            case "disruptor" ->
                new Footprint(8 * KILO, ringBytes(options), 0, 0, 0, 0, UNBOUNDED, UNBOUNDED); // found: 4 KB of heap
            case "chronicle" -> "unread".equals(options.get("retention")) ? freeing(options) : CHRONICLE;
            case "kafka" -> KAFKA;
            default -> isDurable ? FILING : UNKNOWN;
        };
    }

    private static Footprint freeing(Map<String, String> options) {
        long block = CHRONICLE_BLOCK;
        try {
            block = Long.parseLong(options.getOrDefault("block-size", "" + CHRONICLE_BLOCK));
        } catch (NumberFormatException refused) {
            // the transport will say so itself
        }
        return new Footprint(
                CHRONICLE.heapPerTopic,
                CHRONICLE.directPerTopic,
                CHRONICLE.descriptorsPerTopic,
                CHRONICLE.mapsPerTopic,
                CHRONICLE.filePerTopic,
                CHRONICLE.filePerFrame,
                UNREAD_BLOCKS * block,
                CHRONICLE.youngMost);
    }

    private static long ringBytes(Map<String, String> options) {
        DisruptorOptions rings = DisruptorOptions.defaults();
        try {
            return rings.withSlots(Integer.parseInt(options.getOrDefault("slots", "" + rings.slots())))
                    .withMaxPayload(Integer.parseInt(options.getOrDefault("max-payload", "" + rings.maxPayload())))
                    .ringBytes();
        } catch (IllegalArgumentException refused) {
            return rings.ringBytes(); // the transport will say so itself
        }
    }
}
