/**
 * Writers: frames from their claim to the producer and to their acknowledgement, with and without transactions, and the detection of
 * newer writers, which ends a writer when another one has begun in its topic.
 *
 * <p>Connections call it. It uses the packages {@code read}, {@code log}, {@code topics} and {@code client}. Internal: it may change
 * in any release.
 */
package dev.baton.kafka.write;
