package dev.baton.operations.top;

/** Asks one process what it does. Confined to one thread. */
interface ProcessClient {
    /** Where it is asked, for people to read. */
    String name();

    /** Asks now, within some seconds. What goes wrong is the problem of the reading. */
    Reading read();
}
