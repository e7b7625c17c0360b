package dev.baton.spring;

import java.io.Serial;

/** The failure of a chain to start, which ends the start of the application. The text names the chain, and its cause gives the remedy. */
public final class ChainStartException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    ChainStartException(String chain, RuntimeException cause) {
        super("chain '" + chain + "' did not start: " + cause.getMessage(), cause);
    }
}
