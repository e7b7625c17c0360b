/**
 * The ways into the first topic of a chain: the inlet for one thread with its ring, the queue for many threads, requests
 * that wait for their replies, and sources.
 *
 * <p>Called by {@code engine}, and by senders through {@link dev.baton.Inlet} and {@link dev.baton.SharedInlet}. It may use
 * {@code cycle}, {@code loop}, {@code writing}, {@code message} and {@code chain}. Not exported.
 */
package dev.baton.engine.inlet;
