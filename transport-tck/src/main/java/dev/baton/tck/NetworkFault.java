package dev.baton.tck;

/** A fault of the network or of the server behind a transport, which a {@link TransportFixture} causes. */
public enum NetworkFault {
    /** Every link to the server is broken, and no new one is opened. Frames in flight may be stored or not. */
    BROKEN_LINKS,
    /** The server answers nothing and stores nothing, and every link stays open. */
    STALLED_SERVER,
    /** The server answers, but stores no frame. */
    REFUSED_WRITES
}
