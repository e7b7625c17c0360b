/**
 * The assignment of keys to the partitions of a chain, and the changes of that assignment.
 *
 * <p>Used by chains with {@link dev.baton.Deployment#partitions partitions}; others can leave this package aside. It
 * depends on {@code dev.baton.spi} alone.
 */
package dev.baton.partitions;
