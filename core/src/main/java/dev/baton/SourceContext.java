package dev.baton;

/**
 * The environment of a running source, with which it can also store the position up to which it has read, together with its
 * messages. Passed to {@link Source#onStart} and valid until the chain has stopped. Confined to the source's loop.
 */
public interface SourceContext {
    /** The value that {@link #resume} returns if no position is known. */
    long NO_POSITION = -1;

    /** {@return the name of the chain} */
    String chain();

    /** {@return the number of this instance of the chain; 0 for the only one} */
    int instance();

    /** {@return the number of the partition, from 0; -1 if the chain has no partitions} */
    int partition();

    /** {@return the number of partitions; 0 if the chain has none} */
    int partitions();

    /** {@return the name of the topic that the source feeds; if the chain has partitions, that of its partition} */
    String topic();

    /** {@return the time of the clock of {@link Source#deadlineNanos}} */
    long nanoTime();

    /**
     * Sets the input to which positions refer from now on, and returns the position of the newest message that the topic holds.
     * A source that continues after this position feeds each position once, whatever happened before, since position and
     * message are stored together. Call it in {@link Source#onStart}.
     *
     * @param input identity of what the source reads, not 0; it has to change if the input is deleted and created again
     * @return the position; {@link #NO_POSITION} if the topic holds no message, or its newest message has no position or refers
     *     to another input
     */
    long resume(long input);

    /**
     * Sets the position from which the next messages come, until the end of the current call of {@link Source#onTick}. It is
     * stored with each message, as its {@linkplain Message#cause cause} less one. Positions must not decrease.
     *
     * @param position 0 to 2<sup>61</sup> - 2
     */
    void position(long position);
}
