/**
 * Chains that are found by name, with generators of their inputs and checks of their outputs: {@link
 * dev.baton.chains.ChainProvider} and the types that it returns. Used by {@code baton service}, which runs the services of a
 * chain, and by the laboratory, which measures it.
 */
package dev.baton.chains;
