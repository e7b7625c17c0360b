package dev.baton;

/**
 * What a source knows of where it runs, and how it stores with its messages how far it has read. Given to {@link
 * Source#onStart} and valid until the chain has stopped. Confined to the source's loop.
 */
public interface SourceContext {
    /** What {@link #resume} returns when no position is known. */
    long NO_POSITION = -1;

    /** {@return the name of the chain} */
    String chain();

    /** {@return which of several instances of the chain this is; 0 for the only one} */
    int instance();

    /** {@return which partition of the chain this is, from 0; -1 when it has none} */
    int partition();

    /** {@return how many partitions the chain has; 0 when it has none} */
    int partitions();

    /** {@return the name of the topic that the source feeds; that of its partition, where the chain has partitions} */
    String topic();

    /** {@return the time by the clock of {@link Source#deadlineNanos}} */
    long nanoTime();

    /**
     * Says which input positions count in from here on, and returns the position of the newest message that the topic
     * holds. A source that goes on behind it feeds each position once, whatever happened in between, as position and message
     * are stored together. Called in {@link Source#onStart}.
     *
     * @param input identity of what the source reads, not 0: another one when it was deleted and created again
     * @return {@link #NO_POSITION} when the topic holds no message, its newest one has no position, or that one counts in
     *     another input
     */
    long resume(long input);

    /**
     * Says where the messages come from that are sent next, until the end of the call of {@link Source#onTick}: stored with
     * each of them, as its {@linkplain Message#cause cause} less one. Positions must not go back.
     *
     * @param position 0 to 2<sup>61</sup> - 2
     */
    void position(long position);
}
