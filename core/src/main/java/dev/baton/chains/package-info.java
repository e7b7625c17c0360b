/**
 * Chains that are found by name, with what feeds them and what checks their outputs: {@link
 * dev.baton.chains.ChainProvider} and what it gives. Used by {@code baton service}, which runs the services of a chain, and
 * by the laboratory, which measures it.
 */
package dev.baton.chains;
