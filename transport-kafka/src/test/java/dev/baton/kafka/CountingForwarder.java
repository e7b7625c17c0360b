package dev.baton.kafka;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Stands in front of a broker and counts the connections made to it. Thread-safe. */
final class CountingForwarder implements AutoCloseable {
    private final ServerSocket front = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final AtomicLong connections = new AtomicLong();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final int target;

    CountingForwarder(int target) throws IOException {
        this.target = target;
        start(this::accept);
    }

    int port() {
        return front.getLocalPort();
    }

    long connections() {
        return connections.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = front.accept();
                connections.incrementAndGet();
                open.add(near);
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(far);
                start(() -> copy(near, far));
                start(() -> copy(far, near));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException ended) {
            // by one of both sides
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "counting-forwarder");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        front.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
