/**
 * The failures of transports, each of which says what a caller can do about it. {@code TransportException} is the base of most.
 *
 * <p>Thrown by transports and by core, and caught by applications. It depends on nothing of Baton.
 */
package dev.baton.spi.errors;
