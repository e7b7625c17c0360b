package dev.baton;

/** A chain stopped; the cause is what stopped it. */
public final class ChainFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ChainFailedException(String chain, Throwable cause) {
        super("chain " + chain + " stopped: " + cause.getMessage(), cause);
    }
}
