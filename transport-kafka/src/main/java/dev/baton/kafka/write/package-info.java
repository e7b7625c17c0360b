/**
 * Writers: frames from their claim to the producer and to their acknowledgement, with and without transactions.
 *
 * <p>Connections call it. It uses the packages {@code fencing}, {@code read}, {@code log}, {@code topics}
 * and {@code client}. Internal: it may change in any release.
 */
package dev.baton.kafka.write;
