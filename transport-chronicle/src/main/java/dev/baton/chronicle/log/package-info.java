/**
 * The open queue of a topic, shared by the connections of a transport, and the memory that excerpts are copied through.
 * Internal; writers, readers and the administration call it. It uses {@code directory}, {@code format}, {@code platform} and
 * the options.
 */
package dev.baton.chronicle.log;
