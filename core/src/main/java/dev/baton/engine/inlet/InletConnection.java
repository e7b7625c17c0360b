package dev.baton.engine.inlet;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.loop.Connections;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.loop.LoopPool;
import dev.baton.engine.loop.Task;
import dev.baton.engine.writing.PendingOpens;
import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The connection of an inlet, or of the inlets of all partitions. It is opened with the first of them and closed with the
 * last.
 *
 * <p>If a connection has to be driven ({@link Connection#needsWork}), a task on a loop (the driver) calls {@code doWork}
 * while no inlet is in a call. The state of {@link #lock} is the current user: a call of an inlet (USED), the driver
 * (DRIVEN), or none (FREE). A thread that takes the lock adopts the connection if another thread used it before. A call
 * waits for the driver, which holds the lock for one {@code doWork}; the driver never waits. Other connections have no
 * driver, and their inlets take the lock only to open. Thread-safe; methods and fields that require the lock are marked.
 */
public final class InletConnection {
    /** An inlet that uses the connection. */
    interface User {
        /** Notifies the user that the connection has failed while it was driven. Any thread. */
        void failed(Throwable cause);

        /** Returns whether a sent message is not stored yet. Under the lock. */
        boolean isWaiting();

        /**
         * Returns the failure that ended its writer; null while the writer works, or if the user was notified. Under the
         * lock.
         */
        TransportException newFailure();
    }

    private static final int FREE = 0;
    private static final int USED = 1;
    private static final int DRIVEN = 2;
    private static final int SPINS = 100;
    private static final long WAIT_NANOS = 20_000;

    /** The interval between the driver's turns while a message is not stored and the loop has no other work. */
    private static final long DRIVE_NANOS = 1_000_000;

    private final Transport transport;
    private final LoopPool loops;
    private final Environment environment;
    private final AtomicInteger lock = new AtomicInteger();
    private final List<User> users = new CopyOnWriteArrayList<>();
    private Connection connection; // null while no inlet is open; guarded by the lock, like the following fields
    private Thread last; // thread that used the connection last
    private Loop driving; // loop of the driver; null if there is none
    private boolean isOwnLoop;
    private Task driver;
    private boolean isConnecting; // an inlet is opening the connection without the lock
    private boolean isEnded;

    public InletConnection(Transport transport, LoopPool loops) {
        this.transport = transport;
        this.loops = loops;
        this.environment = loops.environment();
    }

    /** Takes the lock for the calling thread; waits for the thread that holds it. */
    void lock() {
        for (int spins = 0; !lock.compareAndSet(FREE, USED); spins++) {
            if (spins < SPINS) {
                environment.spin();
            } else {
                environment.park(WAIT_NANOS);
            }
        }
        try {
            adopt();
        } catch (RuntimeException | Error refused) {
            unlock();
            throw refused;
        }
    }

    void unlock() {
        lock.set(FREE);
    }

    private void adopt() {
        Thread current = environment.thread();
        if (last != current && driving != null) {
            connection.adopt();
            last = current;
        }
    }

    /**
     * Begins an opening on the connection for an inlet, which becomes one of its users. Under the lock, which is released
     * while this blocks.
     *
     * @param readerLoop loop that reads the inlet's topic; null if none in this process does
     */
    PendingOpens open(User user, Loop readerLoop) {
        while (isConnecting) {
            unlocked(() -> environment.park(WAIT_NANOS));
        }
        checkNotEnded();
        if (connection == null) {
            connect(readerLoop);
        }
        users.add(user);
        return new PendingOpens(connection, false);
    }

    /** Runs an action that may block, and releases the lock meanwhile. Under the lock, like the following methods. */
    void unlocked(Runnable blocking) {
        unlock();
        try {
            blocking.run();
        } finally {
            lock();
        }
    }

    private void connect(Loop readerLoop) {
        AtomicReference<Connection> opened = new AtomicReference<>();
        isConnecting = true;
        try {
            unlocked(() -> opened.set(transport.connect()));
        } finally {
            isConnecting = false;
        }
        connection = opened.get();
        last = environment.thread();
        if (isEnded) {
            disconnect();
        }
        checkNotEnded();
        if (connection.needsWork()) {
            drive(readerLoop);
        }
    }

    private void checkNotEnded() {
        if (isEnded) {
            throw new IllegalStateException("the inlets are closed");
        }
    }

    private void drive(Loop readerLoop) {
        try {
            isOwnLoop = readerLoop == null && loops.splitsChains();
            driving = readerLoop == null ? loops.nextLoop() : readerLoop;
        } catch (RuntimeException | Error noLoop) {
            disconnect();
            throw noLoop;
        }
        driver = new Driver();
        driving.add(driver); // opens nothing, so that no caller has to wait for it
    }

    /** Returns whether the lock has to be taken for each use. Under the lock. */
    boolean isDriven() {
        return driving != null;
    }

    /** Wakes the driver after a message was sent, unless its loop is awake. Under the lock. */
    void wakeDriver(Loop isAwake) {
        if (driving != isAwake) {
            driving.wake();
        }
    }

    /**
     * Runs an action and then one turn of the connection, for the thread that closes the chain. Returns whether a message
     * of the user is not stored afterwards; false if the connection is closed.
     *
     * @throws TransportException if the connection has failed, or the user's writer has ended
     */
    boolean isWaitingAfterTurn(User user, Runnable before) {
        lock();
        try {
            if (connection == null) {
                return false;
            }
            before.run();
            connection.doWork();
            TransportException ended = user.newFailure();
            if (ended != null) {
                throw ended;
            }
            return user.isWaiting();
        } finally {
            unlock();
        }
    }

    /** Closes the connection, which stores the sent messages, after the last use of all inlets. Idempotent. */
    void end() {
        Loop retired;
        lock();
        try {
            isEnded = true;
            retired = disconnect();
        } finally {
            unlock();
        }
        retire(retired);
    }

    /** Removes an inlet that is no longer used; the last one closes the connection. Idempotent. */
    void leave(User user) {
        Loop retired = null;
        lock();
        try {
            if (users.remove(user) && users.isEmpty()) {
                retired = disconnect();
            }
        } finally {
            unlock();
        }
        retire(retired);
    }

    /** Removes an inlet that could not be opened. Under the lock. */
    void abandon(User user) {
        if (users.remove(user) && users.isEmpty()) {
            retire(disconnect());
        }
    }

    /** Closes the connection and removes the driver. Returns the loop to retire; null if there is none. */
    private Loop disconnect() {
        Loop retired = isOwnLoop ? driving : null;
        Connection closing = connection;
        connection = null;
        if (driver != null) {
            driving.remove(driver);
        }
        driver = null;
        driving = null;
        if (closing != null) {
            closing.close();
        }
        return retired;
    }

    private void retire(Loop retired) {
        if (retired != null) {
            loops.retire(List.of(retired), ChainState.releaseDeadline(environment));
        }
    }

    /** The task that runs the turns of the connection while no inlet is in a call. On its loop. */
    private final class Driver implements Task {
        private long againNanos = Long.MAX_VALUE;
        private User ended; // user to be notified; null for none
        private TransportException reason;

        @Override
        public void open(Connections connections) {}

        @Override
        public int doWork() {
            if (!lock.compareAndSet(FREE, DRIVEN)) {
                return 0;
            }
            int work;
            try {
                if (driver != this) {
                    return 0;
                }
                adopt();
                work = connection.doWork();
                lookAtUsers();
            } finally {
                unlock();
            }
            if (ended != null) {
                notifyEnded();
            }
            return work;
        }

        private void lookAtUsers() {
            boolean isWaiting = false;
            for (int i = 0; i < users.size(); i++) { // an iterator would be allocated; the lock keeps the list as it is
                User each = users.get(i);
                TransportException failure = each.newFailure();
                if (failure != null) {
                    ended = each;
                    reason = failure;
                }
                isWaiting |= each.isWaiting();
            }
            againNanos = isWaiting ? environment.nanoTime() + DRIVE_NANOS : Long.MAX_VALUE;
        }

        /**
         * Notifies a user of the end of its writer, without the lock, because a listener may close the chain. One user is
         * notified per turn.
         */
        private void notifyEnded() {
            User user = ended;
            ended = null;
            user.failed(reason);
        }

        @Override
        public long deadlineNanos() {
            return againNanos;
        }

        @Override
        public void failed(Throwable cause) {
            users.forEach(each -> each.failed(cause));
        }

        @Override
        public void close() {}
    }
}
