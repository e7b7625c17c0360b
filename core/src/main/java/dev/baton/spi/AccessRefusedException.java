package dev.baton.spi;

/**
 * The environment of a transport answers, and says no: a login, a certificate or a permission is wrong or missing. The
 * text names the setting. Another try is of no use before something has changed, and may lock an account.
 */
public class AccessRefusedException extends TransportException {
    private static final long serialVersionUID = 1L;

    public AccessRefusedException(String message) {
        super(message);
    }

    public AccessRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
