package dev.baton.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A link in front of a server that echoes its input. */
@Timeout(30)
class FaultyLinkTest {
    private static final int ABSENCE_MILLIS = 150;

    private final FaultyLink link = FaultyLink.open();
    private ServerSocket echo;

    @BeforeEach
    void serve() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::acceptAll, "echo");
        thread.setDaemon(true);
        thread.start();
        link.leadTo(echo.getLocalPort());
    }

    private void acceptAll() {
        while (!echo.isClosed()) {
            try {
                Socket each = echo.accept();
                Thread thread = new Thread(() -> sendBack(each), "echo");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void sendBack(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException reset) {
            // as a test wants it
        }
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        link.close();
        link.close();
        echo.close();
        Awaitility.await()
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("faulty-link-")));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), link.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes());
    }

    private static String receive(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length));
    }

    @Test
    void bytesAndEndPassInBothDirections() throws Exception {
        byte[] bytes = new byte[3_000_000];
        new Random(7).nextBytes(bytes);
        try (Socket socket = connect()) {
            CompletableFuture<byte[]> received = CompletableFuture.supplyAsync(() -> {
                try {
                    return socket.getInputStream().readAllBytes();
                } catch (IOException failed) {
                    throw new IllegalStateException(failed);
                }
            });
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            assertThat(Arrays.equals(received.get(), bytes)).isTrue();
        }
    }

    @Test
    void heldLinkBlocksAndLosesNothing() throws IOException {
        try (Socket socket = connect()) {
            send(socket, "a");
            assertThat(receive(socket, 1)).isEqualTo("a");
            link.hold();
            send(socket, "b");
            socket.setSoTimeout(ABSENCE_MILLIS);
            InputStream in = socket.getInputStream();
            assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
            try (Socket other = connect()) {
                send(other, "x");
                other.setSoTimeout(ABSENCE_MILLIS);
                InputStream ofOther = other.getInputStream();
                assertThatThrownBy(ofOther::read).isInstanceOf(SocketTimeoutException.class);

                link.heal();
                socket.setSoTimeout(10_000);
                other.setSoTimeout(10_000);
                send(socket, "c");
                assertThat(receive(socket, 2)).isEqualTo("bc");
                assertThat(receive(other, 1)).isEqualTo("x");
            }
        }
    }

    @Test
    void piecesAreDelayedInOrder() throws IOException {
        try (Socket socket = connect()) {
            link.delay(Duration.ofMillis(60));
            long begun = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                send(socket, String.valueOf(i));
            }
            assertThat(receive(socket, 10)).isEqualTo("0123456789");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(120));
            link.heal();
            send(socket, "z");
            assertThat(receive(socket, 1)).isEqualTo("z");
        }
    }

    @Test
    void lostPieceArrivesAfterRetransmission() throws IOException {
        try (Socket socket = connect()) {
            link.lose(1);
            long begun = System.nanoTime();
            send(socket, "a");
            assertThat(receive(socket, 1)).isEqualTo("a");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> link.lose(1.5)).withMessageContaining("0 to 1");
    }

    @Test
    void resetEndsConnectionsButNewOnesPass() throws IOException {
        try (Socket first = connect();
                Socket second = connect()) {
            send(first, "a");
            send(second, "b");
            assertThat(receive(first, 1)).isEqualTo("a");
            assertThat(receive(second, 1)).isEqualTo("b");
            link.reset();
            InputStream in = first.getInputStream();
            assertThatThrownBy(in::read).isInstanceOf(SocketException.class);
            InputStream other = second.getInputStream();
            assertThatThrownBy(other::read).isInstanceOf(SocketException.class);
        }
        try (Socket next = connect()) {
            send(next, "c");
            assertThat(receive(next, 1)).isEqualTo("c");
        }
    }

    @Test
    void clientOfStoppedServerIsReset() throws IOException {
        try (Socket nobody = new Socket()) { // holds a port on which no process can listen
            nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            link.leadTo(nobody.getLocalPort());
            try (Socket socket = connect()) {
                InputStream in = socket.getInputStream();
                assertThatThrownBy(() -> {
                            if (in.read() < 0) {
                                throw new SocketException("ended");
                            }
                        })
                        .isInstanceOf(SocketException.class);
            }
        }
    }
}
