package dev.baton.operations.top;

/** A client of one process. Confined to one thread. */
interface ProcessClient {
    /** {@return the address for people} */
    String name();

    /** Reads once, within some seconds. A failure becomes the problem of the reading. */
    ProcessReading read();
}
