package dev.baton.spi;

import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.ByteSize;
import dev.baton.spi.options.OptionSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A provider that opens a transport by name, found through {@link java.util.ServiceLoader}. Implementations have a public
 * constructor without arguments that does nothing. Thread-safe.
 */
public interface TransportProvider {
    /** {@return the name that users type: lower-case letters, digits and hyphens, beginning with a letter, 64 at most} */
    String name();

    /** {@return one line that describes the transport and its version} */
    String summary();

    /** {@return the guarantees of all transports of this provider beyond the contract that transports share} */
    Set<Guarantee> guarantees();

    /**
     * {@return the guarantees of a transport that is opened with these options: {@link #guarantees()}, and those that an option
     * adds}
     *
     * @param options as for {@link #open}; an option that {@code open} would refuse counts as its default
     */
    default Set<Guarantee> guarantees(Map<String, String> options) {
        return guarantees();
    }

    /** {@return the options of {@link #open}} */
    List<OptionSpec> options();

    /**
     * {@return the flags without which a JVM of this feature version cannot run the transport}
     *
     * @param featureVersion such as 17 or 25
     */
    default List<String> jvmFlags(int featureVersion) {
        return List.of();
    }

    /**
     * {@return the name of the option that sets the longest payload, a {@link ByteSize}; null if it is fixed} The laboratory
     * raises it for payloads longer than its default, and lowers it to make slots small.
     */
    default String payloadOption() {
        return null;
    }

    /**
     * {@return the options for thousands of small topics, for the laboratory; options that a user sets override them}
     *
     * @param payloadBytes payload bytes of a message
     * @param framesPerSecond frames per second of a topic
     */
    default Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
        return Map.of();
    }

    /**
     * {@return the options for hundreds of topics that are written for hours, for the laboratory; options that a user sets
     * override them}
     */
    default Map<String, String> longRunOptions() {
        return Map.of();
    }

    /**
     * {@return the resources that a topic needs}
     *
     * @param options as for {@link #open}; an option that {@code open} would refuse counts as its default
     */
    default TopicFootprint topicFootprint(Map<String, String> options) {
        return TopicFootprint.unknown(guarantees().contains(Guarantee.DURABLE));
    }

    /**
     * {@return why the loss of one host may lose a stored frame, as a predicate of the transport; null if other hosts have
     * copies} Called if {@link Guarantee#DURABLE} is promised.
     *
     * @param options as for {@link #open}, those that were typed
     */
    default String lostWithHost(Map<String, String> options) {
        return "stores a single copy";
    }

    /**
     * Opens a transport.
     *
     * @param options options by name; a missing option has its default
     * @return the transport, to be closed by the caller
     * @throws IllegalArgumentException for an unknown option or a value out of range: the text names the known ones
     * @throws TransportException when the environment does not allow it
     */
    Transport open(Map<String, String> options);

    /**
     * Promotes the standby that has a copy of all topics, so that it is used instead of what it copied. May be repeated.
     *
     * @param options as for {@link #open}, those of the standby
     * @param former address of what it copied, in the transport's terms
     * @param isForced whether to promote although that answers
     * @return the newest sequence of each topic
     * @throws IllegalArgumentException as for {@link #open}, and if the transport has no standby
     * @throws TransportException when the former one answers, or the environment does not allow it
     */
    default Map<String, Long> promote(Map<String, String> options, String former, boolean isForced) {
        throw new IllegalArgumentException("transport " + name() + " has no standby that could be promoted");
    }

    /**
     * Opens a transport only for {@link Transport#topics} and {@link Transport#inspect}. If possible it creates, changes and
     * locks nothing, and needs no write permission.
     *
     * @param options as for {@link #open}
     * @return the transport, to be closed by the caller
     * @throws IllegalArgumentException as for {@link #open}
     * @throws TransportException when the environment does not allow it
     */
    default Transport openForInspection(Map<String, String> options) {
        return open(options);
    }

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
    record TopicFootprint(
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
}
