/**
 * Topics as memory-mapped Chronicle queues: durable across the end of a process, shared by the processes of one machine.
 *
 * <p>Read in this order: {@link dev.baton.chronicle.ChronicleTransport}, its connection, TopicLog (one open queue),
 * Batch and Excerpt (what lies in it), ChronicleWriter, ChronicleReader.
 */
package dev.baton.chronicle;
