package dev.baton.chains;

import dev.baton.spi.options.OptionSpec;
import java.util.List;
import java.util.Map;

/**
 * A provider of a chain that is found by name, through {@link java.util.ServiceLoader}: {@code ./baton density --chain orders}.
 * Add a jar with an implementation and the file {@code META-INF/services/dev.baton.chains.ChainProvider} to {@code
 * BATON_CLASSPATH}, with all of its dependencies. It needs only {@code baton-core}.
 *
 * <p>Implementations are public, and have a public constructor without arguments that does nothing. Thread-safe.
 */
public interface ChainProvider {
    /** {@return the name that users type: lower-case letters, digits and hyphens, beginning with a letter} */
    String name();

    /** {@return one line that describes the chain} */
    String summary();

    /** {@return the options of {@link #open}; {@link dev.baton.spi.options.Options} reads them} */
    default List<OptionSpec> options() {
        return List.of();
    }

    /**
     * Opens the chain with options. Called once for each trial and each service process, in the JVM that runs it, and
     * before that once in the JVM that starts those, to check the options. So it may load resources, but must not start
     * anything.
     *
     * @param options options by name; a missing option has its default
     * @return the chain, with its generators and checks
     * @throws IllegalArgumentException for an unknown option or a value out of range: the text names what is allowed
     */
    ProvidedChain open(Map<String, String> options);
}
