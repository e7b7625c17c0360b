package dev.baton.kafka.embedded;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Utils;

/**
 * Loopback ports that were free a moment ago.
 *
 * <p>A KRaft node has to know the ports of all nodes before it starts, so port 0 cannot be used. Another process may take a port between
 * the choice and the start; the start is then repeated. Thread-safe.
 */
final class FreePorts {
    private static final int MOST = 32_000; // Linux gives 32768 and up to who connects, others 49152 and up
    private static final int LEAST = 20_000;
    private static final int MOST_ATTEMPTS = 1_000;
    private static final int START_ATTEMPTS = 4;

    private FreePorts() {}

    /**
     * Chooses ports below those that a kernel gives to connecting clients, so that a port is still free when its server restarts: a
     * client's own connection may take one of the others, even to itself.
     */
    static int[] choose(int count) {
        List<ServerSocket> held = new ArrayList<>();
        IOException last = null;
        try {
            for (int attempts = 0; held.size() < count && attempts < MOST_ATTEMPTS; attempts++) {
                try {
                    int candidate = ThreadLocalRandom.current().nextInt(LEAST, MOST + 1);
                    held.add(new ServerSocket(candidate, 1, Loopback.ADDRESS));
                } catch (IOException refused) {
                    last = refused; // another one, then
                }
            }
            if (held.size() < count) {
                throw new EmbeddedKafkaException(
                        "fewer than " + count + " of " + MOST_ATTEMPTS + " ports from " + LEAST + " to " + MOST
                                + " could be bound on " + Loopback.NUMBER + ": " + last.getMessage()
                                + "; a broker needs 127.0.0.1 or ::1 on the loopback interface",
                        last);
            }
            return held.stream().mapToInt(ServerSocket::getLocalPort).toArray();
        } finally {
            held.forEach(socket -> Utils.closeQuietly(socket, "a port that is chosen"));
        }
    }

    /**
     * Starts something on ports, and again on others when the start failed and one of them was taken meanwhile.
     *
     * @param stop removes the rest of a failed start
     */
    static void startOn(Supplier<int[]> choice, Consumer<int[]> start, Runnable stop) {
        for (int attempt = 1; ; attempt++) {
            int[] ports = choice.get();
            try {
                start.accept(ports);
                return;
            } catch (EmbeddedKafkaException failure) {
                stop.run();
                if (attempt == START_ATTEMPTS || areFree(ports)) {
                    throw failure;
                }
            }
        }
    }

    /** {@return whether all of them are still free} */
    private static boolean areFree(int[] ports) {
        for (int port : ports) {
            try (ServerSocket socket = new ServerSocket(port, 1, Loopback.ADDRESS)) {
                assert socket.isBound();
            } catch (IOException taken) {
                return false;
            }
        }
        return true;
    }
}
