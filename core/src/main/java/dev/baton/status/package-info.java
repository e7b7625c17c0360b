/**
 * The status and health of a running chain and its parts, as values.
 *
 * <p>Returned by {@link dev.baton.RunningChain#status} for monitors and health checks. It depends on {@code
 * dev.baton.state} and {@code dev.baton.spi} alone.
 */
package dev.baton.status;
