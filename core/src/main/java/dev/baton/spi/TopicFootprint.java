package dev.baton.spi;

/**
 * What one topic of a transport needs of a machine, rounded up: the laboratory plans trials of many topics with it, and
 * refuses those that a machine cannot hold. Immutable, thread-safe.
 *
 * @param heapBytes on the heap
 * @param directBytes outside of it
 * @param descriptors in the process that has the topic's files open
 * @param maps memory mappings of the process, for each topic
 * @param fileBytes that a topic takes before its first message
 * @param fileBytesPerFrame beside the payload that a message takes in a topic; 0 when nothing is written
 * @param maxFileBytes that a topic takes at most, however long it is written to; {@link #UNBOUNDED} when there is no limit
 * @param maxYoungBytes of a young generation that is collected within a fraction of the usual limits; {@link #UNBOUNDED}
 *     when its size makes no difference
 */
public record TopicFootprint(
        long heapBytes,
        long directBytes,
        double descriptors,
        double maps,
        long fileBytes,
        long fileBytesPerFrame,
        long maxFileBytes,
        long maxYoungBytes) {
    /** No limit. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    private static final long KILO = 1 << 10;
    private static final long MEGA = 1 << 20;

    private static final TopicFootprint IN_MEMORY =
            new TopicFootprint(256 * KILO, 256 * KILO, 0, 0, 0, 0, UNBOUNDED, UNBOUNDED);

    private static final TopicFootprint IN_FILES =
            new TopicFootprint(256 * KILO, 0, 4, 4, MEGA, 128, UNBOUNDED, UNBOUNDED);

    /**
     * {@return a generous footprint, of a transport that tells nothing}
     *
     * @param writesFiles whether its topics lie in files; otherwise in memory
     */
    public static TopicFootprint unknown(boolean writesFiles) {
        return writesFiles ? IN_FILES : IN_MEMORY;
    }

    /** {@return whether a topic stops growing, however long it is written to} */
    public boolean isBounded() {
        return maxFileBytes < UNBOUNDED;
    }
}
