/**
 * Topics and consumer groups as the brokers have them: names, ids, partitions, stored positions and memberships.
 *
 * <p>The packages that read, write and administer topics call it. It uses the package {@code client}.
 * Internal: it may change in any release.
 */
package dev.baton.kafka.topics;
