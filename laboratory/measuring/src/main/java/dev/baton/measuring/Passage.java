package dev.baton.measuring;

/**
 * Where writers pass through data that a reader exchanges now and then. A writer never waits; it finds what was last put
 * there before it went in.
 *
 * <p>{@link #awaitThoseInside}: one thread at a time. The others: as the implementation says.
 */
interface Passage {
    /** A writer goes in, and looks at the shared data only afterwards. @return to be given to {@link #exit} */
    long enter();

    /** It is out: its writes are seen by a reader that waits for it. */
    void exit(long token);

    /** Called after the exchange: returns when every writer that may have found the old data is out. */
    void awaitThoseInside();
}
