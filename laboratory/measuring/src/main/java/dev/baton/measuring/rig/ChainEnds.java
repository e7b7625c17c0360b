package dev.baton.measuring.rig;

import dev.baton.measuring.PayloadPattern;
import java.util.function.LongToIntFunction;

/** The two ends of one instance, to be put at the ends of a chain. Each end belongs to the thread that turns it. */
public interface ChainEnds {
    /** From 0; people count from 1. */
    int index();

    /** {@return the source of the chain's first topic} */
    MessageSource generator();

    /** {@return the sink of the chain's last topic} */
    MessageSink receiver();

    /** {@return the sink of a partition of the chain's last topic} @param partition from 0 */
    default MessageSink receiver(int partition) {
        return receiver();
    }

    /** {@return the function that returns the key of a message; null: messages have none} */
    default LongToIntFunction keys() {
        return null;
    }

    /** The payload of every message. */
    PayloadPattern pattern();

    /** {@return the own work of a service for each message, for the thread of the service} @param service from 1 */
    default Runnable work(int service) {
        return () -> {};
    }
}
