package dev.baton.benchmark.density;

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
 */
record Footprint(
        long heapPerTopic,
        long directPerTopic,
        double descriptorsPerTopic,
        double mapsPerTopic,
        long filePerTopic,
        long filePerFrame) {
    private static final long KILO = 1 << 10;
    private static final long MEGA = 1 << 20;

    /** Of a transport that the laboratory does not know, which writes files. */
    private static final Footprint FILING = new Footprint(256 * KILO, 0, 4, 4, MEGA, 128);

    /** Of one that does not. */
    private static final Footprint UNKNOWN = new Footprint(256 * KILO, 256 * KILO, 0, 0, 0, 0);

    /** Found: 20 KB of heap, 2 descriptors, 3 maps, at most 69 bytes a frame. */
    private static final Footprint CHRONICLE = new Footprint(48 * KILO, 0, 2, 3.5, 128 * KILO, 72);

    /** Found: 107 KB of heap; in the broker 1 descriptor and 2 maps; 64 bytes a frame when batched. */
    private static final Footprint KAFKA = new Footprint(256 * KILO, 64 * KILO, 3, 3, 64 * KILO, 128);

    /** Of a topic of this transport, with the options that it is opened with. */
    static Footprint of(String transport, Map<String, String> options, boolean isDurable) {
        return switch (transport) {
            case "disruptor" -> new Footprint(8 * KILO, ringBytes(options), 0, 0, 0, 0); // found: 4 KB of heap
            case "chronicle" -> CHRONICLE;
            case "kafka" -> KAFKA;
            default -> isDurable ? FILING : UNKNOWN;
        };
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
