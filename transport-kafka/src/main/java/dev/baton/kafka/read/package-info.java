/**
 * Readers: where a consumer starts, the fetch of its records, their order, and the positions that it acknowledges.
 *
 * <p>Connections call it, and transactions, which store positions together with frames. It uses the packages {@code
 * log}, {@code topics} and {@code client}. Internal: it may change in any release.
 */
package dev.baton.kafka.read;
