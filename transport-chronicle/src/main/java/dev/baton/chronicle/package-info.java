/**
 * Topics as memory-mapped Chronicle queues: durable across the end of a process, shared by the processes of one machine.
 * Programs call {@link dev.baton.chronicle.ChronicleTransport} or name it to {@link dev.baton.chronicle.ChronicleProvider}.
 * The packages below are internal: {@code format} and {@code platform} at the bottom, then {@code directory}, {@code log},
 * {@code fencing}, {@code consumers}, then {@code writing} and {@code reading}, and {@code admin} above them.
 */
package dev.baton.chronicle;
