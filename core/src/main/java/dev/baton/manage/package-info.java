/**
 * Tools for operators: chains and their disks in JMX, and states that snapshots hold.
 *
 * <p>Used by processes that run chains, and by their monitors. It may use {@code dev.baton}, {@code dev.baton.spi} and the
 * engine.
 */
package dev.baton.manage;
