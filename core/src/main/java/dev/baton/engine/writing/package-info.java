/**
 * The writing side of senders and services: claims, and the fields that frames carry (progress of a merge, round of a
 * tick, wall clock, trace, key, checksum), planned once per writer; and the opening of writers and readers.
 *
 * <p>Called by {@code cycle} and {@code inlet} for each message, and by others that open writers and readers. It may use
 * {@code message} and {@code dev.baton.spi}. Not exported.
 */
package dev.baton.engine.writing;
