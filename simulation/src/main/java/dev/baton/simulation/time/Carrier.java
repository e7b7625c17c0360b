package dev.baton.simulation.time;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/** A real thread that runs actors. Exactly one carrier of a simulation runs at any time: it holds the baton. */
public final class Carrier {
    /** The carriers of one simulation, used for one schedule after another. Closed by the thread that made it. */
    public static final class Pool implements AutoCloseable {
        private final Deque<Carrier> idle = new ArrayDeque<>(); // guarded by the baton
        private volatile boolean isClosed;
        private int made;

        Carrier take() {
            Carrier carrier = idle.poll();
            return carrier != null ? carrier : new Carrier(this, ++made);
        }

        void give(Carrier carrier) {
            idle.push(carrier);
        }

        @Override
        public void close() {
            isClosed = true;
            for (Carrier carrier : idle) {
                carrier.signal();
                try {
                    carrier.thread.join();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private final Pool pool;
    private final Thread thread;
    private volatile boolean hasBaton;
    Actor top; // the actor in the middle of a step, above all others on this stack
    private Runnable task;

    /** The calling thread as a carrier: the driver, whose stack holds no script. */
    Carrier() {
        pool = null;
        thread = Thread.currentThread();
    }

    private Carrier(Pool pool, int number) {
        this.pool = pool;
        thread = new Thread(this::run, "baton-simulation-" + number);
        thread.setDaemon(true);
        thread.start();
    }

    boolean isDriver() {
        return pool == null;
    }

    /** Sets the action that runs when it receives the baton; called by the holder, before {@link #signal}. */
    void assign(Runnable body) {
        task = body;
    }

    /** Hands the baton over: the caller must not use the simulation any more. */
    void signal() {
        hasBaton = true;
        LockSupport.unpark(thread);
    }

    /** Waits for the baton. */
    void await() {
        while (!hasBaton) {
            LockSupport.park(this);
        }
        hasBaton = false;
    }

    private void run() {
        while (true) {
            await();
            if (pool.isClosed) {
                return;
            }
            Runnable body = task;
            task = null;
            body.run();
        }
    }
}
