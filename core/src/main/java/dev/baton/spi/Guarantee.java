package dev.baton.spi;

/** A promise of a transport beyond the contract that all transports share. */
public enum Guarantee {
    /**
     * A flushed frame can be polled at once, without a turn of the writer's connection: one sweep carries it through a whole chain, and
     * the thread of an inlet has a connection of its own. Without this guarantee only loops have connections.
     */
    IMMEDIATE("visible at once"),
    /** A stored frame survives the end of the process that wrote it. */
    DURABLE("survives the process"),
    /** A second writer of a topic, or reader of a consumer, is refused while the first one lives, in any process. */
    EXCLUSIVE("one writer at a time"),
    /** The services of a chain may run in different processes of one machine: each may write some topics and read others. */
    CROSS_PROCESS("crosses processes"),
    /** Writer and readers of a topic may run on different machines. */
    CROSS_HOST("crosses hosts");

    private final String meaning;

    Guarantee(String meaning) {
        this.meaning = meaning;
    }

    /** {@return the meaning in a few words, for tables} */
    public String meaning() {
        return meaning;
    }
}
