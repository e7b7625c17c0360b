/**
 * The assignment of keys to the partitions of a chain, and the changes of that assignment.
 *
 * <p>Used by chains with {@link dev.baton.Deployment#partitions partitions}; other chains do not need this package. It
 * depends on {@code dev.baton.spi} alone.
 */
package dev.baton.partitions;
