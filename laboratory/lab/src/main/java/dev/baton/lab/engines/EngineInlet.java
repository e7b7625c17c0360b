package dev.baton.lab.engines;

import dev.baton.measuring.rig.Sender;

/** Writes a chain's first topic. Confined to the thread that opens it. */
interface EngineInlet extends Sender, AutoCloseable {
    default void open() {}

    /** Whether the library has confirmed all that was sent. After {@link #close}, by any thread. */
    default boolean isStored() {
        return true;
    }

    @Override
    default void close() {}
}
