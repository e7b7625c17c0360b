package dev.baton.aeron;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports of the loopback for a transport. They lie below those that a kernel gives to clients, so that no socket of another test takes
 * one before the transport binds it.
 */
public final class UdpPorts {
    private static final int LEAST = 20_000;
    private static final int MOST = 32_000; // Linux gives 32768 and up to clients
    private static final int MOST_ATTEMPTS = 1_000;

    private UdpPorts() {}

    /** Returns options with addresses that nobody uses, and sizes that tests fill. */
    public static UdpOptions options() {
        int control = free();
        return UdpOptions.defaults()
                .with(UdpOptions.CONTROL, "localhost:" + control)
                .with(UdpOptions.REQUESTS, "localhost:" + freeExcept(control))
                .with(UdpOptions.TERM_LENGTH, 2 * AeronOptions.LEAST_TERM)
                .with(UdpOptions.MAX_PAYLOAD, 100);
    }

    /** Returns the same with an address at which the only process of readers receives. */
    static UdpOptions unicast() {
        return options().with(UdpOptions.ENDPOINT, "localhost:" + free());
    }

    private static int freeExcept(int taken) {
        int port = free();
        return port == taken ? freeExcept(taken) : port;
    }

    /** Returns a port that was free a moment ago. */
    static int free() {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            int candidate = ThreadLocalRandom.current().nextInt(LEAST, MOST + 1);
            try (DatagramSocket socket = new DatagramSocket(candidate, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                continue; // another one, then
            }
        }
        throw new IllegalStateException("no port from " + LEAST + " to " + MOST + " could be bound");
    }
}
