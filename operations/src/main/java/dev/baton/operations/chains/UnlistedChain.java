package dev.baton.operations.chains;

import dev.baton.chains.ChainProvider;

/** A chain of Baton's own tests: commands run it by its name, but do not list it. Thread-safe. */
public interface UnlistedChain extends ChainProvider {}
