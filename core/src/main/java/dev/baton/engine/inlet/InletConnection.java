package dev.baton.engine.inlet;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.writing.PendingOpens;
import dev.baton.run.Connections;
import dev.baton.run.Environment;
import dev.baton.run.Loop;
import dev.baton.run.Loops;
import dev.baton.run.Task;
import dev.baton.spi.Connection;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The one connection behind an inlet, or behind the inlets of all partitions: opened with the first of them, closed with the
 * last.
 *
 * <p>Where a connection has to be driven ({@link Connection#needsWork}), a task on a loop does so while its sender does
 * something else. {@link #lock} says who has the connection: a call of an inlet (USED), the driver (DRIVEN), or none (FREE).
 * Who takes it adopts the connection when another thread had it before. A call waits for the driver, which has it for one
 * {@code doWork}; the driver never waits. Other connections cost their sender nothing: its inlet does not take the
 * lock after it was opened, and there is no driver. Thread-safe; what is under the lock says so.
 */
public final class InletConnection {
    /** An inlet that uses the connection. */
    interface User {
        /** The connection has failed while it was driven. Any thread. */
        void failed(Throwable cause);

        /** Whether something was sent that is not stored. Under the lock. */
        boolean isWaiting();

        /** Why its writer has ended; null while it works, or when it was notified. Under the lock. */
        TransportException newFailure();
    }

    private static final int FREE = 0;
    private static final int USED = 1;
    private static final int DRIVEN = 2;
    private static final int SPINS = 100;
    private static final long WAIT_NANOS = 20_000;

    /** How soon the driver comes again while something is not stored and the loop has nothing else to do. */
    private static final long DRIVE_NANOS = 1_000_000;

    private final Transport transport;
    private final Loops loops;
    private final Environment environment;
    private final AtomicInteger lock = new AtomicInteger();
    private final List<User> users = new CopyOnWriteArrayList<>();
    private Connection connection; // null while no inlet is open; under the lock, as what follows
    private Thread last; // whose the connection is
    private Loop driving; // null: not driven
    private boolean isOwnLoop;
    private Task driver;
    private boolean isConnecting; // an inlet opens the connection, without the lock
    private boolean isEnded;

    public InletConnection(Transport transport, Loops loops) {
        this.transport = transport;
        this.loops = loops;
        this.environment = loops.environment();
    }

    /** Takes the connection for the calling thread; waits for the one that has it. */
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
     * Begins an opening on the connection for an inlet, which is one of its users from now on. Under the lock, which is
     * given up while this blocks.
     *
     * @param readerLoop that reads the inlet's topic; null when none does here
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

    /** Does something that may block while others may take the connection. Under the lock, as what follows. */
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
        driving.add(driver); // opens nothing, so that no caller needs to wait for it
    }

    /** Whether the lock has to be taken for each use. Under the lock. */
    boolean isDriven() {
        return driving != null;
    }

    /** Something was sent: the driver is to see to it that it leaves, if its loop is not awake already. Under the lock. */
    void wakeDriver(Loop isAwake) {
        if (driving != isAwake) {
            driving.wake();
        }
    }

    /**
     * One turn of the connection for the thread that closes the chain, behind what it does first. Returns whether something of
     * the user is not stored then; nothing is when the connection is closed.
     *
     * @throws TransportException if the link is gone, or the user's writer has ended
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

    /** Closes the connection, which stores what was sent, when all inlets have been used for the last time. Idempotent. */
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

    /** An inlet is used no more; the last one closes the connection. Idempotent. */
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

    /** An inlet could not be opened. Under the lock. */
    void abandon(User user) {
        if (users.remove(user) && users.isEmpty()) {
            retire(disconnect());
        }
    }

    /** Answers with the loop to retire, if there is one. */
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

    /** Gives the connection its turns while no inlet is in a call. On its loop. */
    private final class Driver implements Task {
        private long againNanos = Long.MAX_VALUE;
        private User ended; // to be notified; null: none
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
            for (User each : users) {
                TransportException failure = each.newFailure();
                if (failure != null) {
                    ended = each;
                    reason = failure;
                }
                isWaiting |= each.isWaiting();
            }
            againNanos = isWaiting ? environment.nanoTime() + DRIVE_NANOS : Long.MAX_VALUE;
        }

        /** Without the lock, as a listener may close the chain. Of several users, the next turn has the next one. */
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
