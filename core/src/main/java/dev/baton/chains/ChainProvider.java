package dev.baton.chains;

import dev.baton.spi.OptionSpec;
import java.util.List;
import java.util.Map;

/**
 * How a chain of services is found by name, through {@link java.util.ServiceLoader}: {@code ./baton density --chain orders}.
 * A jar with an implementation and the line {@code META-INF/services/dev.baton.chains.ChainProvider} goes into {@code
 * BATON_CLASSPATH}, with all that it depends on. It needs {@code baton-core} alone.
 *
 * <p>Implementations are public, and have a public constructor without arguments that does nothing. Thread-safe.
 */
public interface ChainProvider {
    /** {@return the name that users type: lower-case letters, digits and hyphens, beginning with a letter} */
    String name();

    /** {@return one line that says what the chain does} */
    String summary();

    /** {@return the options that {@link #open} knows; {@link dev.baton.spi.Options} reads them} */
    default List<OptionSpec> options() {
        return List.of();
    }

    /**
     * Opens the chain with these options. Called once for each trial and each service process, in the JVM that runs it, and
     * once before in the JVM that starts those, to check the options; so it loads what it needs, and starts nothing.
     *
     * @param options by name; what is missing has its default
     * @return the chain, with what it is measured with
     * @throws IllegalArgumentException for an unknown option or a value out of range: the text names what is allowed
     */
    ProvidedChain open(Map<String, String> options);
}
