package dev.baton.run;

import dev.baton.spi.Connection;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The connections of one loop, each closed with the last task that uses it. Confined to its loop. */
final class LoopConnections {
    private static final long MOST_AWAIT_OF_SEVERAL_NANOS = 1_000_000;

    private static final class Shared {
        final Connection connection;
        final List<Task> users = new ArrayList<>();

        Shared(Connection connection) {
            this.connection = connection;
        }
    }

    private final Environment environment;
    private final Map<Transport, Shared> byTransport = new IdentityHashMap<>();
    private volatile Shared[] all = {};

    LoopConnections(Environment environment) {
        this.environment = environment;
    }

    /** What a task opens through this view is counted as in use by it. */
    Connections countedFor(Task task) {
        return transport -> {
            Shared shared = byTransport.get(transport);
            if (shared == null) {
                shared = new Shared(transport.connect());
                byTransport.put(transport, shared);
                all = byTransport.values().toArray(new Shared[0]);
            }
            if (!shared.users.contains(task)) {
                shared.users.add(task);
            }
            return shared.connection;
        };
    }

    /** One turn of every connection; a connection that fails takes its tasks with it. */
    int doWork(Loop loop) {
        int work = 0;
        for (Shared shared : all) {
            try {
                work += shared.connection.doWork();
            } catch (RuntimeException | Error failure) {
                List.copyOf(shared.users).forEach(user -> loop.fail(user, failure));
            }
        }
        return work;
    }

    /**
     * Waits on the one connection, or parks where there is none: a task that comes ends that. Several cannot be awaited at
     * once, so then the thread parks for a short time.
     */
    void await(long nanos) {
        if (all.length == 1) {
            all[0].connection.await(nanos);
        } else if (all.length == 0) {
            environment.park(nanos);
        } else {
            environment.park(Math.min(nanos, MOST_AWAIT_OF_SEVERAL_NANOS));
        }
    }

    /** Ends an {@link #await} in progress. Called by any thread. */
    void wake() {
        for (Shared shared : all) {
            shared.connection.wake();
        }
    }

    void release(Task task) {
        RuntimeException failure = null;
        for (Map.Entry<Transport, Shared> entry : List.copyOf(byTransport.entrySet())) {
            Shared shared = entry.getValue();
            if (shared.users.remove(task) && shared.users.isEmpty()) {
                byTransport.remove(entry.getKey());
                all = byTransport.values().toArray(new Shared[0]);
                try {
                    shared.connection.close();
                } catch (RuntimeException atClose) {
                    failure = atClose;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
