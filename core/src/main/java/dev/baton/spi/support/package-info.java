/**
 * Parts that most transports share and that callers do not see: confinement to a thread, claims of writers, values per range of sequences,
 * fencing of writers by announcements in the topic, causes of exceptions, tasks without an interrupt.
 *
 * <p>Used by implementations of {@code dev.baton.spi}. It may use {@code dev.baton.spi}.
 */
package dev.baton.spi.support;
