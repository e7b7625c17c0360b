package dev.baton.lab.engines;

/** What one thread of a chain does. All but {@link #halt} is called by that thread. */
interface Stage {
    /** Opens what belongs to the thread; when it returns, messages can flow. May block. */
    default void open() {}

    /** Works until the signal is set or {@link #halt} is called. */
    void run(StopSignal stop);

    /** Ends {@link #run} where that does not look at the signal. Any thread, after the signal is set. */
    default void halt() {}

    /**
     * Whether it has passed on all that lies in what it reads, asked when nothing is written into that any more and the
     * signal says so. Any thread.
     */
    default boolean isAtEnd() {
        return true;
    }

    /** Whether the library has confirmed all that was passed on. After {@link #close}, by any thread. */
    default boolean isStored() {
        return true;
    }

    /** Lets go of what {@link #open} opened, also when that failed half-way. */
    default void close() {}
}
