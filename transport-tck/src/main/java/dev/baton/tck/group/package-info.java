/**
 * The contract class on groups, whose members are threads or processes that share the partitions of a service. Transports that
 * share partitions extend {@link dev.baton.tck.group.GroupTck}; its members are internal. It uses {@link dev.baton.tck}, {@link
 * dev.baton.tck.harness} and the public API of chains.
 */
package dev.baton.tck.group;
