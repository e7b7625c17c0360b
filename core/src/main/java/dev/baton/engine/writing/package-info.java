/**
 * The writing side of senders and services: claims, keys, and the fields that frames carry (checksum, wall clock, trace,
 * progress of a merge), as writers in front of the transport's writer; and the opening of writers and readers.
 *
 * <p>Called by {@code cycle} and {@code inlet}, once per message. It may use {@code message} and {@code dev.baton.spi}. Not
 * exported.
 */
package dev.baton.engine.writing;
