package dev.baton.spi;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a transport is found and opened by name, through {@link java.util.ServiceLoader}. Implementations have a public
 * constructor without arguments that does nothing. Thread-safe.
 */
public interface TransportProvider {
    /** The name that users type: lower case, without blanks. */
    String name();

    /** One line that says what it is and which version. */
    String summary();

    Set<Guarantee> guarantees();

    /** The options that {@link #open} understands. */
    List<OptionSpec> options();

    /**
     * Flags without which a JVM of this feature version cannot run the transport.
     *
     * @param featureVersion such as 17 or 25
     */
    default List<String> jvmFlags(int featureVersion) {
        return List.of();
    }

    /**
     * The option of {@link #options} that sets the longest payload, a {@link ByteSize}; null where it is fixed. The laboratory
     * raises it for payloads beyond its default, and lowers it where slots should be small.
     */
    default String payloadOption() {
        return null;
    }

    /**
     * Options that suit thousands of small topics, for the laboratory; those that a user types count before them.
     *
     * @param payloadBytes of a message
     * @param framesPerSecond of a topic
     */
    default Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
        return Map.of();
    }

    /** Options that suit hundreds of topics written for hours, for the laboratory; those that a user types count before. */
    default Map<String, String> longRunOptions() {
        return Map.of();
    }

    /**
     * What a topic needs of a machine.
     *
     * @param options as for {@link #open}; one that {@code open} would refuse counts as its default
     */
    default TopicFootprint topicFootprint(Map<String, String> options) {
        return TopicFootprint.unknown(guarantees().contains(Guarantee.DURABLE));
    }

    /**
     * Where a search for the most chains that a machine holds begins: about a tenth of what two cores hold, of five services
     * at 1,000 messages a second.
     */
    default int firstGuess() {
        return 1;
    }

    /**
     * Opens a transport.
     *
     * @param options by name; what is missing has its default
     * @throws IllegalArgumentException for an unknown option or a value out of range: the text names the known ones
     * @throws TransportException when the environment does not allow it
     */
    Transport open(Map<String, String> options);

    /**
     * Opens a transport for {@link Transport#topics} and {@link Transport#inspect} alone: where it can, it makes, changes
     * and locks nothing, and needs no right to write.
     *
     * @throws IllegalArgumentException as for {@link #open}
     * @throws TransportException when the environment does not allow it
     */
    default Transport openForInspection(Map<String, String> options) {
        return open(options);
    }
}
