package dev.baton;

/**
 * What a service knows of where it runs, and how it keeps inputs from being acknowledged. Given to {@link
 * Service#onStart} and valid until the chain has stopped. Confined to the service's loop.
 */
public interface ServiceContext {
    /** {@return the name of the chain} */
    String chain();

    /** {@return the name of the service} */
    String service();

    /** {@return which of several instances of the chain this is; 0 for the only one} */
    int instance();

    /** {@return which partition of the chain this is, from 0; -1 when it has none} */
    int partition();

    /** {@return the name of the topic that the service reads; that of its partition, where the chain has partitions} */
    String input();

    /**
     * {@return the identity of that topic: another one when it was deleted and created again; 0 where it is not known} What a
     * service stores elsewhere of the sequences of its inputs counts in this topic only.
     */
    long inputIdentity();

    /**
     * {@return the logical time, in nanoseconds since 1970-01-01T00:00Z: the commit time of the input in hand, or in {@link
     * Service#onTick} the time of the tick} It never goes back. What a service derives from it and from its inputs comes out
     * the same when the inputs are delivered again.
     */
    long time();

    /**
     * {@return whether the tick or closing in progress is one of an earlier run that is given again, as {@link
     * Message#isRedelivered} says of messages: what it sends is stored already and dropped}
     */
    default boolean isRepeatingTick() {
        return false;
    }

    /** {@return the time by the clock of {@link Service#deadlineNanos}: for waiting, not for results} */
    long nanoTime();

    /** {@return the sequence of the newest output that the transport vouches for; 0 for none} */
    long storedSequence();

    /**
     * {@return the sequence of the newest input that is delivered again though its outputs are stored; 0 for none} Until it
     * is consumed, what the service sends is dropped and no tick is given: see {@link Service#holdsInputs}.
     */
    long redeliveredUpTo();

    /**
     * Names the oldest input that the service still needs: that one and those behind it are not acknowledged, and are
     * delivered again after a restart. Said anew whenever it changes.
     *
     * <p>In a callback that throws it has no effect. At most {@link Deployment#maxHeld} inputs are held: then no more are
     * delivered, and a service without {@link Service#onTick}, which could not let go of any, fails.
     *
     * @param sequence of that input; {@link Long#MAX_VALUE} holds nothing
     * @throws IllegalStateException when the service does not {@link Service#holdsInputs hold inputs}
     */
    void holdFrom(long sequence);
}
