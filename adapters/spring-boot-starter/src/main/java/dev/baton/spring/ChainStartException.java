package dev.baton.spring;

import java.io.Serial;

/** A chain that did not start, so that the application does not either. The text names the chain, and its cause's says what to do. */
public final class ChainStartException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    ChainStartException(String chain, RuntimeException cause) {
        super("chain '" + chain + "' did not start: " + cause.getMessage(), cause);
    }
}
