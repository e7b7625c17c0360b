/**
 * The state that all parts of a run share: whether it runs, closes or has failed, and its listeners.
 *
 * <p>Called by the packages that run parts. It may use the interfaces of {@code dev.baton} and {@code dev.baton.spi}.
 * Not exported.
 */
package dev.baton.engine.chain;
