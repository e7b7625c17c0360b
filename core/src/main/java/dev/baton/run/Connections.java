package dev.baton.run;

import dev.baton.spi.Connection;
import dev.baton.spi.Transport;

/** A loop's connections: one per transport, whatever the number of tasks. Confined to its loop. */
public interface Connections {
    /**
     * {@return the loop's connection to the transport, opened when this is the first task to ask} May block.
     *
     * @param transport that a task reads or writes
     */
    Connection to(Transport transport);
}
