package dev.baton.lab.study.jitter;

/** What lies in each slot of the ring: made once, written by the producer, visible through the ring's sequence. */
final class TimeEvent {
    long slotNanos;
    int tag;
}
