/**
 * Topics over Aeron: streams of a media driver, embedded or running already, and recordings of an Archive.
 *
 * <p>Following one frame: {@code AeronWriter} stages it and copies the batch into the log, {@code AeronReader} hands it
 * over from there, and {@code AeronTopic} keeps what is not acknowledged. Over an Archive: {@code ArchiveWriter} stages it and
 * copies the batch into a {@code RecordedPublication}, the Archive records it, {@code ArchiveReader} hands it over from a {@code
 * Replay}, and {@code ConsumerPosition} stores how far that has come.
 */
package dev.baton.aeron;
