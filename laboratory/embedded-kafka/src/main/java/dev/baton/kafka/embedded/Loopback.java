package dev.baton.kafka.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/**
 * The loopback address on which brokers listen: 127.0.0.1, or ::1 on a host whose loopback interface has no other. It does not
 * depend on what {@code localhost} is in a file of hosts, nor on the JVM's preferences. Stateless, thread-safe.
 */
final class Loopback {
    private static final byte[] IPV4 = {127, 0, 0, 1};
    private static final byte[] IPV6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    /** Address to listen on and to connect to. */
    static final InetAddress ADDRESS = canBeBound(IPV4) || !canBeBound(IPV6) ? address(IPV4) : address(IPV6);

    /** The address in the form of {@code host:port}: ::1 in brackets. */
    static final String HOST = ADDRESS.getAddress().length == IPV6.length ? "[::1]" : "127.0.0.1";

    /** The address without brackets. */
    static final String NUMBER = HOST.replaceAll("[\\[\\]]", "");

    private Loopback() {}

    private static boolean canBeBound(byte[] address) {
        try (ServerSocket socket = new ServerSocket(0, 1, address(address))) {
            return socket.isBound();
        } catch (IOException absent) {
            return false;
        }
    }

    private static InetAddress address(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
