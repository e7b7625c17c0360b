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
