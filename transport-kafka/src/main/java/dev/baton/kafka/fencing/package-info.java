/**
 * The detection of newer writers: which frames of a writer are stored and count, and the checks that end a writer when
 * another one has begun in its topic.
 *
 * <p>Writers and their openings call it. It uses the packages {@code log}, {@code topics} and {@code client}.
 * Internal: it may change in any release.
 */
package dev.baton.kafka.fencing;
