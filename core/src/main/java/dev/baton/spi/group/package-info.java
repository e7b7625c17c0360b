/**
 * Groups of processes that share the partitions of a chain.
 *
 * <p>Called by core where a transport can share partitions. It may use {@code spi.errors}.
 */
package dev.baton.spi.group;
