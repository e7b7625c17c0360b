package dev.baton.tck;

/** A fault of the network or of the server behind a transport, which a {@link TransportFixture} causes. */
public enum NetworkFault {
    /** Every link to the server has ended, and no new one comes about. What was on its way may be stored or not. */
    BROKEN_LINKS,
    /** The server answers nothing and stores nothing, and every link stays. */
    STALLED_SERVER,
    /** The server answers, but stores no frame. */
    REFUSED_WRITES
}
