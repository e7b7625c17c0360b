package dev.baton.spi;

/**
 * The resources of a machine that one topic of a transport needs, rounded up. The laboratory uses it to plan trials of many
 * topics, and to refuse those for which a machine is too small. Immutable, thread-safe.
 *
 * @param heapBytes memory on the heap
 * @param directBytes memory outside of the heap
 * @param descriptors file descriptors in the process that has the topic's files open
 * @param maps memory mappings of the process, for each topic
 * @param fileBytes size of the topic's files before its first message
 * @param fileBytesPerFrame bytes per message in addition to the payload; 0 if nothing is written
 * @param maxFileBytes maximum size of the topic's files, regardless of how long it is written to; {@link #UNBOUNDED} if there
 *     is no limit
 * @param maxYoungBytes size of a young generation that is collected within a fraction of the usual limits; {@link #UNBOUNDED}
 *     if its size makes no difference
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
    /** The value for no limit. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    private static final long KILO = 1 << 10;
    private static final long MEGA = 1 << 20;

    private static final TopicFootprint IN_MEMORY =
            new TopicFootprint(256 * KILO, 256 * KILO, 0, 0, 0, 0, UNBOUNDED, UNBOUNDED);

    private static final TopicFootprint IN_FILES =
            new TopicFootprint(256 * KILO, 0, 4, 4, MEGA, 128, UNBOUNDED, UNBOUNDED);

    /**
     * {@return a generous footprint, for a transport that does not define one}
     *
     * @param writesFiles whether its topics are in files; otherwise in memory
     */
    public static TopicFootprint unknown(boolean writesFiles) {
        return writesFiles ? IN_FILES : IN_MEMORY;
    }

    /** {@return whether a topic stops growing, however long it is written to} */
    public boolean isBounded() {
        return maxFileBytes < UNBOUNDED;
    }
}
