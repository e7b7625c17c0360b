/**
 * Contract classes on whole chains over a transport: services, edges, partitions, merges, state, messages and inlets. Every
 * transport extends them. They use {@link dev.baton.tck}, {@link dev.baton.tck.harness} and the public API of chains.
 */
package dev.baton.tck.chain;
