package dev.baton.engine.loop;

import dev.baton.spi.Connection;
import dev.baton.spi.Transport;

/** The connections of a loop: one per transport, regardless of the number of tasks. Confined to its loop. */
public interface Connections {
    /**
     * {@return the loop's connection to the transport, which is opened at the first request} May block.
     *
     * @param transport transport that a task reads or writes
     */
    Connection to(Transport transport);
}
