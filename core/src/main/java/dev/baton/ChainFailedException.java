package dev.baton;

/** Thrown when a chain has stopped because of a failure, which is the cause of this exception. */
public final class ChainFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param chain name of the chain
     * @param cause failure that stopped it
     */
    public ChainFailedException(String chain, Throwable cause) {
        super("chain " + chain + " stopped: " + cause.getMessage(), cause);
    }
}
