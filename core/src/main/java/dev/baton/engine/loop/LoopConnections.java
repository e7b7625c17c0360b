package dev.baton.engine.loop;

import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The connections of one loop. Each is closed with the last task that uses it. Confined to its loop. */
final class LoopConnections {
    private static final long MOST_AWAIT_OF_SEVERAL_NANOS = 1_000_000;

    private static final class Shared {
        final Transport transport;
        final Connection connection;
        final Set<Task> users = new LinkedHashSet<>();
        boolean hasFailed; // it is not shared any more, but gets turns until its last task is closed

        Shared(Transport transport) {
            this.transport = transport;
            this.connection = transport.connect();
        }
    }

    private final Environment environment;
    private final List<Shared> open = new ArrayList<>();
    private volatile Shared[] all = {};

    LoopConnections(Environment environment) {
        this.environment = environment;
    }

    /** Returns a view that records the task as a user of the connections it opens. */
    Connections countedFor(Task task) {
        return transport -> {
            Shared shared = usable(transport);
            if (shared == null) {
                shared = new Shared(transport);
                open.add(shared);
                all = open.toArray(new Shared[0]);
            }
            shared.users.add(task);
            return shared.connection;
        };
    }

    private Shared usable(Transport transport) {
        for (Shared each : open) {
            if (each.transport == transport && !each.hasFailed) {
                return each;
            }
        }
        return null;
    }

    /** Runs one turn of every connection. If a connection fails, the tasks that use it fail as well. */
    int doWork(Loop loop) {
        int work = 0;
        for (Shared shared : all) {
            try {
                work += shared.connection.doWork();
            } catch (Throwable failure) {
                shared.hasFailed = true;
                List.copyOf(shared.users).forEach(user -> loop.fail(user, failure));
            }
        }
        return work;
    }

    /** Returns whether {@link #await} ends as soon as there is something to do for a connection. */
    boolean awaitNews() {
        return all.length == 1 && all[0].connection.awaitsNews();
    }

    /** Returns whether one of them needs turns even if nothing is sent or read. */
    boolean needTurns() {
        for (Shared shared : all) {
            if (shared.connection.needsTurns()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Waits on the connection if there is exactly one; otherwise parks the thread, for a short time if a connection needs
     * turns. A task that is added ends the wait.
     */
    void await(long nanos) {
        if (all.length == 1) {
            all[0].connection.await(nanos);
        } else if (all.length == 0) {
            environment.park(nanos);
        } else {
            environment.park(needTurns() ? Math.min(nanos, MOST_AWAIT_OF_SEVERAL_NANOS) : nanos);
        }
    }

    /** Ends an {@link #await} in progress. Any thread. */
    void wake() {
        for (Shared shared : all) {
            shared.connection.wake();
        }
    }

    void release(Task task) {
        RuntimeException failure = null;
        for (Shared shared : List.copyOf(open)) {
            if (shared.users.remove(task) && shared.users.isEmpty()) {
                open.remove(shared);
                all = open.toArray(new Shared[0]);
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
