package dev.baton.engine.writing;

import dev.baton.ConfigurationException;
import dev.baton.spi.Frame;

/**
 * The writer at the end of a chain, where there is no next topic: nothing can be claimed, so its memory stays empty, and everything
 * counts as stored. Thread-safe.
 */
public final class NoOutput extends OutputMemory {
    static final String REFUSAL = "the chain ends here: an output handler and its interceptors cannot send";

    public NoOutput() {
        super(null, 0);
    }

    @Override
    public Frame claim(int maxLength) {
        throw new ConfigurationException(REFUSAL);
    }
}
