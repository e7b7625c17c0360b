package dev.baton.engine;

import dev.baton.engine.chain.Wait;
import dev.baton.run.Environment;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * Closes failed chains and opens them again, one after another, on its own thread, which runs while there is work.
 * Thread-safe.
 */
final class Restarter {
    private static final long MAX_PARK_NANOS = 100_000_000;
    private static final long CHECK_NANOS = 1_000_000;

    private final String name;
    private final Environment environment;
    private final List<RestartingChain> waiting = new ArrayList<>(); // guarded by this, like the following fields
    private RestartingChain inWork;
    private Thread thread; // null if there is no work

    Restarter(String chain, Environment environment) {
        this.name = "baton-restart-" + chain;
        this.environment = environment;
    }

    Environment environment() {
        return environment;
    }

    /** Schedules the next step of a chain for the time when it is due. Idempotent; never blocks. */
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
     * Cancels the steps of a chain and waits for the one in progress. Must not be called on the restarter's thread.
     *
     * @return false if that step was still in progress at the deadline
     */
    boolean remove(RestartingChain chain, long deadlineNanos) {
        try (Wait wait = new Wait(environment)) {
            while (!isRemoved(chain)) {
                if (deadlineNanos - environment.nanoTime() <= 0) {
                    return false;
                }
                wait.park(CHECK_NANOS);
            }
            return true;
        }
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

    /** Runs the step that is due first, or waits for it. */
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
        } catch (Throwable atClose) { // failure of one chain; the others need this thread
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
