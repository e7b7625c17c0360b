/**
 * Topics that are recordings of an Archive: their administration, the writer with its checkpoints, the reader with its stored
 * position, and the inspector. Internal: {@code ArchiveTransport} calls {@code ArchiveTopics}. It may use {@code log}, {@code
 * recording}, {@code driver}, the SPI and the options.
 */
package dev.baton.aeron.archive;
