package dev.baton;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;

/**
 * The one connection behind the inlets of all lanes: each sees it as its own, and the last to close it ends it. Confined
 * to the thread of the inlets, and after that to the one that closes them.
 */
final class Entrance {
    private final Transport transport;
    private Connection shared; // null until an inlet is used
    private int users;
    private boolean isEnded;

    Entrance(Transport transport) {
        this.transport = transport;
    }

    /** One inlet's view of the connection. */
    Connection open() {
        if (shared == null) {
            shared = transport.connect();
        }
        users++;
        return new View();
    }

    /** Stores all that the inlets sent and closes the connection. After the last use of an inlet; by any thread. */
    void end() {
        if (!isEnded && shared != null) {
            isEnded = true;
            shared.close();
        }
    }

    private final class View implements Connection {
        private boolean isClosed;

        @Override
        public TopicWriter openWriter(String topic, String topology) {
            return shared.openWriter(topic, topology);
        }

        @Override
        public TopicReader openReader(String topic, String consumer) {
            return shared.openReader(topic, consumer);
        }

        @Override
        public int doWork() {
            return isEnded ? 0 : shared.doWork();
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                users--;
                if (users == 0) {
                    end();
                }
            }
        }
    }
}
