package dev.baton.kafka.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.utils.Utils;

/**
 * The network in front of one port of this machine: forwards TCP connections with the faults of a network. It is for machines whose kernel
 * cannot delay or lose packets on request. It never alters, reorders or drops bytes: TCP repairs such faults of a network, and only the
 * delay remains.
 *
 * <p>Two threads for each connection, a third accepts them. Its queues are bounded: a piece of {@value #PIECE_BYTES} bytes is read when
 * fewer than {@value #MOST_WAITING} wait in its direction, and TCP slows the sender beyond that. Thread-safe.
 */
public final class FaultyLink implements AutoCloseable {
    private static final int PIECE_BYTES = 64 << 10;
    private static final int MOST_WAITING = 256;
    private static final int MOST_CONNECTIONS = 2_000;
    private static final int BACKLOG = 200;
    private static final int CONNECT_MILLIS = 5_000;

    /** The least time after which Linux sends a lost packet again. */
    private static final long RETRANSMISSION_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ServerSocket server;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition healed = lock.newCondition();
    private volatile int target;
    private volatile long delayNanos;
    private volatile double lossShare;
    private volatile boolean isHeld;
    private volatile boolean isClosed;

    private FaultyLink(ServerSocket server) {
        this.server = server;
    }

    /**
     * Listens on a loopback port of the kernel's choice. Connections wait until {@link #leadTo} sets their target.
     *
     * @throws EmbeddedKafkaException when no port is free
     */
    public static FaultyLink open() {
        try {
            FaultyLink link = new FaultyLink(new ServerSocket(0, BACKLOG, Loopback.ADDRESS));
            link.isHeld = true;
            start(link::accept, "accept");
            return link;
        } catch (IOException refused) {
            throw new EmbeddedKafkaException("no port for a link could be opened", refused);
        }
    }

    /** The port to connect to, on the loopback address of {@link BrokerCluster#bootstrapServers}. */
    public int port() {
        return server.getLocalPort();
    }

    /** Sets the port of this machine that connections lead to from now on, and lets them through. */
    public void leadTo(int port) {
        target = port;
        heal();
    }

    /** Ends every connection with a TCP reset on both sides, as a firewall does that has lost its state. */
    public void reset() {
        connections.forEach(Connection::reset);
    }

    /** Blocks all bytes in both directions, and new connections, until {@link #heal}. No byte is lost. */
    public void hold() {
        isHeld = true;
    }

    /** Adds a time to every piece in either direction from now on; pieces remain in order. */
    public void delay(Duration more) {
        delayNanos = more.toNanos();
    }

    /**
     * Delays a random share of all pieces, for the least time after which TCP on Linux sends a lost packet again, with all later pieces of
     * their connection.
     *
     * @param share from 0 to 1
     */
    public void lose(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a share of " + share + "; 0 to 1 are allowed");
        }
        lossShare = share;
    }

    /** Ends the effects of {@link #hold}, {@link #delay} and {@link #lose}; waiting pieces are forwarded. */
    public void heal() {
        delayNanos = 0;
        lossShare = 0;
        lock.lock();
        try {
            isHeld = false;
            healed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all connections and stops listening. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        heal();
        Utils.closeQuietly(server, "a link");
        reset();
    }

    private void accept() {
        while (!isClosed) {
            try {
                Socket client = server.accept();
                awaitHealed();
                connect(client);
            } catch (IOException closed) {
                // by close, or a client that has disconnected
            }
        }
    }

    private void connect(Socket client) {
        Connection connection = new Connection(client);
        connections.add(connection);
        try {
            if (isClosed || connections.size() > MOST_CONNECTIONS) {
                throw new IOException("refused");
            }
            connection.open(target);
        } catch (IOException refused) {
            connection.reset();
        }
    }

    private void awaitHealed() {
        lock.lock();
        try {
            while (isHeld && !isClosed) {
                healed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private long delayOfPiece() {
        boolean isLost = lossShare > 0 && ThreadLocalRandom.current().nextDouble() < lossShare;
        return delayNanos + (isLost ? RETRANSMISSION_NANOS : 0);
    }

    private static void start(Runnable body, String name) {
        Thread thread = new Thread(body, "faulty-link-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** The bytes of one read, and the time to forward them. */
    private record Piece(byte[] bytes, long dueNanos) {}

    /** A client's connection, and ours to the target. */
    private final class Connection {
        private final Socket client;
        private final Socket server = new Socket();

        Connection(Socket client) {
            this.client = client;
        }

        void open(int port) throws IOException {
            server.connect(new InetSocketAddress(Loopback.ADDRESS, port), CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            start(() -> forward(client, server), "out");
            start(() -> forward(server, client), "in");
        }

        /** Forwards until one side ends in order, which is passed on, or fails, which resets both. */
        private void forward(Socket from, Socket to) {
            try {
                new Direction(from, to).run();
            } catch (IOException broken) {
                reset();
            }
            if (from.isInputShutdown() && to.isInputShutdown()) {
                end();
            }
        }

        void reset() {
            for (Socket each : new Socket[] {client, server}) {
                try {
                    each.setSoLinger(true, 0); // a reset instead of an end
                } catch (IOException gone) {
                    // then no peer is connected
                }
            }
            end();
        }

        private void end() {
            Utils.closeQuietly(client, "the connection of a client");
            Utils.closeQuietly(server, "the connection to a broker");
            connections.remove(this);
        }
    }

    /** The bytes of a connection in one direction. Confined to its thread. */
    private final class Direction {
        private final Socket from;
        private final Socket to;
        private final byte[] buffer = new byte[PIECE_BYTES];
        private final Deque<Piece> waiting = new ArrayDeque<>();

        Direction(Socket from, Socket to) {
            this.from = from;
            this.to = to;
        }

        void run() throws IOException {
            boolean hasMore = true;
            while (hasMore || !waiting.isEmpty()) {
                passDue();
                if (hasMore && waiting.size() < MOST_WAITING) {
                    hasMore = read();
                } else if (!waiting.isEmpty()) {
                    LockSupport.parkNanos(waiting.peek().dueNanos() - System.nanoTime());
                }
            }
            from.shutdownInput();
            to.shutdownOutput();
        }

        /**
         * Reads a piece.
         *
         * @return false at the end
         */
        private boolean read() throws IOException {
            long left = waiting.isEmpty() ? 0 : waiting.peek().dueNanos() - System.nanoTime();
            from.setSoTimeout(waiting.isEmpty() ? 0 : (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            try {
                int length = from.getInputStream().read(buffer);
                if (length > 0) {
                    byte[] bytes = Arrays.copyOf(buffer, length);
                    long due = System.nanoTime() + delayOfPiece();
                    Piece last = waiting.peekLast();
                    waiting.add(new Piece(bytes, last == null ? due : Math.max(due, last.dueNanos())));
                }
                return length >= 0;
            } catch (SocketTimeoutException due) {
                return true;
            }
        }

        private void passDue() throws IOException {
            while (!waiting.isEmpty() && waiting.peek().dueNanos() - System.nanoTime() <= 0) {
                awaitHealed();
                to.getOutputStream().write(waiting.remove().bytes());
            }
        }
    }
}
