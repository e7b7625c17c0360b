/**
 * The records of a partition: which are frames that count, which are markers of writers, and where the
 * newest of each lie.
 *
 * <p>Readers, writers and inspectors call it. It uses the packages {@code topics} and {@code client}.
 * Internal: it may change in any release.
 */
package dev.baton.kafka.log;
