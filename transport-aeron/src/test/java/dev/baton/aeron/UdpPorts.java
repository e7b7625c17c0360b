package dev.baton.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;

/** Free ports of the loopback for a transport, which no other test of this machine is given soon. */
final class UdpPorts {
    private UdpPorts() {}

    /** Returns options with addresses that nobody uses, and sizes that tests fill. */
    static UdpOptions options() {
        try (DatagramSocket control = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket requests = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return UdpOptions.defaults()
                    .with(UdpOptions.CONTROL, "localhost:" + control.getLocalPort())
                    .with(UdpOptions.REQUESTS, "localhost:" + requests.getLocalPort())
                    .with(UdpOptions.TERM_LENGTH, 2 * AeronOptions.LEAST_TERM)
                    .with(UdpOptions.MAX_PAYLOAD, 100);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Returns the same with an address at which the only process of readers receives. */
    static UdpOptions unicast() {
        try (DatagramSocket endpoint = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return options().with(UdpOptions.ENDPOINT, "localhost:" + endpoint.getLocalPort());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
