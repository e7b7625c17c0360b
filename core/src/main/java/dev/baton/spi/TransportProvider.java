package dev.baton.spi;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a transport is found and opened by name, through {@link java.util.ServiceLoader}. Implementations have a public
 * constructor without arguments that does nothing. Thread-safe.
 */
public interface TransportProvider {
    /** {@return the name that users type: lower case, without blanks} */
    String name();

    /** {@return one line that says what the transport is and which version} */
    String summary();

    /** {@return what all transports of this provider promise beyond the contract that transports share} */
    Set<Guarantee> guarantees();

    /** {@return the options that {@link #open} understands} */
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
     * {@return the option of {@link #options} that sets the longest payload, a {@link ByteSize}; null where it is
     * fixed} The laboratory raises it for payloads beyond its default, and lowers it where slots should be small.
     */
    default String payloadOption() {
        return null;
    }

    /**
     * {@return the options that suit thousands of small topics, for the laboratory; those that a user types count
     * before them}
     *
     * @param payloadBytes of a message
     * @param framesPerSecond of a topic
     */
    default Map<String, String> manyTopicsOptions(int payloadBytes, double framesPerSecond) {
        return Map.of();
    }

    /**
     * {@return the options that suit hundreds of topics written for hours, for the laboratory; those that a user types
     * count before}
     */
    default Map<String, String> longRunOptions() {
        return Map.of();
    }

    /**
     * {@return the options with which {@code ./baton service} opens this transport where none of them is typed: those for
     * people who look after it seldom}
     *
     * @param options as for {@link #open}, those that were typed
     */
    default Map<String, String> unattendedOptions(Map<String, String> options) {
        return Map.of();
    }

    /**
     * {@return what a topic needs of a machine}
     *
     * @param options as for {@link #open}; one that {@code open} would refuse counts as its default
     */
    default TopicFootprint topicFootprint(Map<String, String> options) {
        return TopicFootprint.unknown(guarantees().contains(Guarantee.DURABLE));
    }

    /**
     * {@return why the loss of one host may lose a frame that is stored, as a predicate of the transport; null when copies
     * on other hosts hold it, too} Asked where {@link Guarantee#DURABLE} is promised.
     *
     * @param options as for {@link #open}, those that were typed
     */
    default String lostWithHost(Map<String, String> options) {
        return "stores a single copy";
    }

    /**
     * {@return where a search for the most chains that a machine holds begins: about a tenth of what two cores hold, of
     * five services at 1,000 messages a second}
     */
    default int firstGuess() {
        return 1;
    }

    /**
     * Opens a transport.
     *
     * @param options by name; what is missing has its default
     * @return the transport, to be closed by the caller
     * @throws IllegalArgumentException for an unknown option or a value out of range: the text names the known ones
     * @throws TransportException when the environment does not allow it
     */
    Transport open(Map<String, String> options);

    /**
     * Opens a transport for {@link Transport#topics} and {@link Transport#inspect} alone: where it can, it makes, changes
     * and locks nothing, and needs no right to write.
     *
     * @param options as for {@link #open}
     * @return the transport, to be closed by the caller
     * @throws IllegalArgumentException as for {@link #open}
     * @throws TransportException when the environment does not allow it
     */
    default Transport openForInspection(Map<String, String> options) {
        return open(options);
    }
}
