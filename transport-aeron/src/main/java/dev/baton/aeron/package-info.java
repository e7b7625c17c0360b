/**
 * Topics over Aeron IPC: one stream of one exclusive publication for each topic.
 *
 * <p>Following one frame: {@code AeronWriter} stages it and copies the batch into the log, {@code AeronReader} hands it
 * over from there, and {@code AeronTopic} keeps what is not acknowledged.
 */
package dev.baton.aeron;
