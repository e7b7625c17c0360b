package dev.baton.kafka.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Loopback ports that were free a moment ago.
 *
 * <p>A KRaft node has to know the ports of all nodes before it starts, so port 0 will not do. Between the choice and
 * the start somebody else may take one; who starts nodes tries again then. Thread-safe.
 */
final class FreePorts {
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
