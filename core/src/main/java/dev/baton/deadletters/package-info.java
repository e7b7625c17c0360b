/**
 * Messages that a service failed to handle: how to read them and how to send them again.
 *
 * <p>Used by operators and their tools; a service that fails needs only an {@link dev.baton.ErrorPolicy}. It may use {@code
 * dev.baton}, {@code dev.baton.spi} and the engine.
 */
package dev.baton.deadletters;
