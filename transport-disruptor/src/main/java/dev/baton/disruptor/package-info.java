/**
 * Topics in memory: single-producer rings of byte slots, sequenced by the LMAX Disruptor.
 *
 * <p>Following one frame: {@code RingWriter} writes it into a slot of a {@code SlottedRing} and publishes it, {@code
 * RingReader} hands it over and gives the slot free.
 */
package dev.baton.disruptor;
