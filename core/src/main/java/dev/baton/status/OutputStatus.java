package dev.baton.status;

/**
 * The position of a part in the topic that it writes. Immutable, thread-safe.
 *
 * @param topic topic that the part writes
 * @param sent newest committed output; 0 for none
 * @param stored newest output that the transport has confirmed as stored; 0 for none
 * @param unstoredNanos lower bound of the time for which the oldest unstored output has waited; 0 if all are stored
 * @param heldBack the consumer because of which the topic has no room, so that the part takes no input; null for none
 */
public record OutputStatus(String topic, long sent, long stored, long unstoredNanos, HeldBack heldBack) {}
