package dev.baton.kafka.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loopback ports that were free a moment ago.
 *
 * <p>A KRaft node has to know the ports of all nodes before it starts, so port 0 will not do. Between the choice and
 * the start somebody else may take one; who starts nodes tries again then. Thread-safe.
 */
final class FreePorts {
    /** Linux gives 32768 and up to who connects, others 49152 and up. */
    private static final int MOST_LASTING = 32_000;

    private static final int LEAST_LASTING = 20_000;
    private static final int MOST_ATTEMPTS = 1_000;

    private FreePorts() {}

    static int[] choose(int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            int[] ports = new int[count];
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                held.add(socket);
                ports[i] = socket.getLocalPort();
            }
            return ports;
        } catch (IOException failure) {
            throw new EmbeddedKafkaException("no free port on loopback", failure);
        } finally {
            held.forEach(FreePorts::release);
        }
    }

    /**
     * Ports below those that a kernel gives to whoever connects, so that one is still free when its server comes back
     * after a while: among the others a client's own connection may have taken it, even to itself.
     */
    static int[] chooseLasting(int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            int[] ports = new int[count];
            for (int attempts = 0; held.size() < count && attempts < MOST_ATTEMPTS; attempts++) {
                int port = ThreadLocalRandom.current().nextInt(LEAST_LASTING, MOST_LASTING + 1);
                try {
                    held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
                    ports[held.size() - 1] = port;
                } catch (IOException taken) {
                    // another one, then
                }
            }
            if (held.size() < count) {
                throw new EmbeddedKafkaException("fewer than " + count + " of " + MOST_ATTEMPTS + " ports from "
                        + LEAST_LASTING + " to " + MOST_LASTING + " were free on loopback");
            }
            return ports;
        } finally {
            held.forEach(FreePorts::release);
        }
    }

    /** Whether nobody has taken one of them. */
    static boolean areFree(int[] ports) {
        for (int port : ports) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assert socket.isBound();
            } catch (IOException taken) {
                return false;
            }
        }
        return true;
    }

    private static void release(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new EmbeddedKafkaException("a port could not be given free", failure);
        }
    }
}
