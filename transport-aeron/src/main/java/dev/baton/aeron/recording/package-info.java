/**
 * The Archive as this module uses it: a session, the catalog of recordings, publications that are recorded, replays,
 * and the standby with its copies and roles.
 * Internal: {@code archive} calls it, and nothing here depends on what the fragments of a recording contain. It may use {@code driver},
 * the SPI and the options.
 */
package dev.baton.aeron.recording;
