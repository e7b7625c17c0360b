package dev.baton;

/**
 * Thrown when a message cannot be handled because the program or its configuration is wrong, such as a codec for another
 * type or a service that sends more than it declares: every such message would fail. It stops the chain at the first
 * message. No retry and no dead letter of an {@link ErrorPolicy} applies, unless the policy names this class or a subclass
 * of it ({@link ErrorPolicy#on}); a {@link RestartPolicy} does not open the chain again. Services and codecs may throw it
 * too. Immutable, thread-safe.
 */
public class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what is wrong, where, and what to change
     */
    public ConfigurationException(String message) {
        super(message);
    }

    /**
     * Creates an exception with the exception that revealed the mistake.
     *
     * @param message what is wrong, where, and what to change
     * @param cause exception that revealed it
     */
    public ConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
