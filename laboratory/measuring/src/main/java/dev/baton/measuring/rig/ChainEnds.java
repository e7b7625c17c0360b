package dev.baton.measuring.rig;

import dev.baton.measuring.PayloadPattern;

/** The two ends of one instance, to be put at the ends of a chain. Each end belongs to the thread that turns it. */
public interface ChainEnds {
    /** From 0; people count from 1. */
    int index();

    /** {@return the source of the chain's first topic} */
    MessageSource generator();

    /** {@return the sink of the chain's last topic} */
    MessageSink receiver();

    /** The payload of every message. */
    PayloadPattern pattern();

    /** {@return the own work of a service for each message, for the thread of the service} @param service from 1 */
    default Runnable work(int service) {
        return () -> {};
    }
}
