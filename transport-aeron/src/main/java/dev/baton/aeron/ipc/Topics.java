package dev.baton.aeron.ipc;

import dev.baton.spi.Connection;
import java.util.Collection;
import java.util.Set;

/** The topics of a transport over Aeron IPC, in one process or shared by several. Thread-safe. */
public interface Topics extends AutoCloseable {
    /** Opens a connection for the calling thread. */
    Connection connect();

    /** Creates topics, all or none, and returns those that did not exist. */
    Set<String> create(Collection<String> names);

    /** {@return the names of all topics} */
    Set<String> names();

    /** Deletes topics, all or, when one of them is in use, none. */
    void delete(Collection<String> names);

    /** Removes a consumer of a topic; false when there is none of this name. */
    boolean forgetConsumer(String topic, String consumer);

    /** {@return the media driver, as results show it} */
    String driverText();

    /** Closes the driver or its client once the last connection is closed; until then the logs stay mapped. */
    @Override
    void close();
}
