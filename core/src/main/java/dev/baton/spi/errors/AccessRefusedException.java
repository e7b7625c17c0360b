package dev.baton.spi.errors;

/**
 * Thrown when the environment of a transport refuses access: a login, a certificate or a permission is wrong or missing. The
 * text names the setting. Another attempt fails until something has changed, and may lock an account.
 */
public class AccessRefusedException extends TransportException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception for a refusal by the environment.
     *
     * @param message what was refused, and the setting that decides it
     */
    public AccessRefusedException(String message) {
        super(message);
    }

    /**
     * Creates an exception for a refusal by the environment, with the exception of the library.
     *
     * @param message what was refused, and the setting that decides it
     * @param cause exception of the library; null for none
     */
    public AccessRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
