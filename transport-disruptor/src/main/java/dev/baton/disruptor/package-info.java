/**
 * Topics in memory: single-producer rings of byte slots, sequenced by the LMAX Disruptor. Programs call {@link
 * dev.baton.disruptor.DisruptorTransport} or name it to {@link dev.baton.disruptor.DisruptorProvider}; it uses the SPI and the
 * Disruptor's sequences.
 *
 * <p>A frame's way: {@code RingWriter} writes it into a slot of a {@code SlottedRing} and publishes it, {@code RingReader}
 * polls it and frees the slot.
 */
package dev.baton.disruptor;
