/**
 * Administration of a topic while no chain uses it: its inspection and the removal of a consumer.
 *
 * <p>The transport calls it. It uses every other package. Internal: it may change in any release.
 */
package dev.baton.kafka.admin;
