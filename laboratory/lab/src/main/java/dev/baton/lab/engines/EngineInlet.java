package dev.baton.lab.engines;

import dev.baton.measuring.rig.Sender;

/** Writes a chain's first topic. Confined to the thread that opens it. */
interface EngineInlet extends Sender, AutoCloseable {
    default void open() {}

    @Override
    default void close() {}
}
