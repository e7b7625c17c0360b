package dev.baton.tck;

/** What is closed and opened again in the middle of a test. */
public enum Restart {
    /** The connection; its transport stays open. Every transport keeps its topics across this. */
    CONNECTION,
    /** The connection and its transport. Only durable transports keep their topics across this. */
    TRANSPORT
}
