/**
 * Connections: the access of one loop to Kafka, the opening of its writers and readers, and what all connections of a
 * transport share.
 *
 * <p>The transport and the package {@code admin} call it. It uses every other package but that one. Internal: it may
 * change in any release.
 */
package dev.baton.kafka.connection;
