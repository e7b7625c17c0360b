package dev.baton.engine;

import dev.baton.run.Environment;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * Closes chains that failed and opens them again, one after the other, on a thread of its own that lives while there is
 * something to do. Thread-safe.
 */
public final class Restarter {
    private static final long MAX_PARK_NANOS = 100_000_000;
    private static final long CHECK_NANOS = 1_000_000;

    private final String name;
    private final Environment environment;
    private final List<RestartingChain> waiting = new ArrayList<>(); // guarded by this, as what follows
    private RestartingChain inWork;
    private Thread thread; // null: there is nothing to do

    Restarter(String chain, Environment environment) {
        this.name = "baton-restart-" + chain;
        this.environment = environment;
    }

    Environment environment() {
        return environment;
    }

    /** Has the next step of a chain taken as soon as it is due. Idempotent; never blocks. */
    synchronized void add(RestartingChain chain) {
        if (!waiting.contains(chain)) {
            waiting.add(chain);
        }
        if (thread == null) {
            thread = environment.start(name, this::daemon, this::turn);
        } else {
            environment.unpark(thread);
        }
    }

    /**
     * Takes no step of a chain any more; waits for the one in progress. Not on the thread that takes steps.
     *
     * @return false if that step was still in progress at the deadline
     */
    boolean remove(RestartingChain chain, long deadlineNanos) {
        while (!isRemoved(chain)) {
            if (deadlineNanos - environment.nanoTime() <= 0) {
                return false;
            }
            environment.park(CHECK_NANOS);
        }
        return true;
    }

    private synchronized boolean isRemoved(RestartingChain chain) {
        waiting.remove(chain);
        return inWork != chain || environment.thread() == thread;
    }

    private Thread daemon(Runnable body) {
        Thread made = new Thread(body, name);
        made.setDaemon(true);
        return made;
    }

    /** Takes the step that is due first, or waits for it. */
    private boolean turn() {
        RestartingChain due;
        long leftNanos = 0;
        synchronized (this) {
            due = earliest();
            if (due == null) {
                thread = null;
                return false;
            }
            leftNanos = due.dueNanos() - environment.nanoTime();
            if (leftNanos <= 0) {
                waiting.remove(due);
                inWork = due;
            }
        }
        if (leftNanos > 0) {
            environment.park(Math.min(leftNanos, MAX_PARK_NANOS));
            return true;
        }
        try {
            due.step();
        } catch (RuntimeException | Error atClose) { // of one chain; the others need this thread
            System.getLogger("dev.baton").log(Level.WARNING, name + ": " + atClose, atClose);
        } finally {
            synchronized (this) {
                inWork = null;
            }
        }
        return true;
    }

    private RestartingChain earliest() {
        RestartingChain first = null;
        for (RestartingChain each : waiting) {
            if (first == null || each.dueNanos() - first.dueNanos() < 0) {
                first = each;
            }
        }
        return first;
    }
}
