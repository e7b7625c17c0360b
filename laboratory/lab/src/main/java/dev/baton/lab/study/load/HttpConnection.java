package dev.baton.lab.study.load;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * One client's kept-alive connection: it writes a request whose body is its number, and takes the answer. Confined to the
 * clients' thread, but for {@link #connect}.
 */
final class HttpConnection implements AutoCloseable {
    /** A request's number in its body. */
    static final int NUMBER_DIGITS = 16;

    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final SocketChannel channel;
    private final ByteBuffer request;
    private final byte[] body;
    private final int bodyStart;
    private final HttpAnswer answer = new HttpAnswer();
    private final SelectionKey key;
    private long number = -1; // -1: nothing is on its way
    private long sentNanos;

    private HttpConnection(SocketChannel channel, URI server, int bodyBytes, Selector selector) throws IOException {
        this.channel = channel;
        body = new byte[Math.max(NUMBER_DIGITS, bodyBytes)];
        Arrays.fill(body, (byte) '.');
        String path = server.getRawPath() == null || server.getRawPath().isEmpty() ? "/" : server.getRawPath();
        String head = "POST " + path + (server.getRawQuery() == null ? "" : "?" + server.getRawQuery())
                + " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\nContent-Type: text/plain\r\nContent-Length: "
                + body.length + "\r\n\r\n";
        byte[] headBytes = head.getBytes(StandardCharsets.US_ASCII);
        request = ByteBuffer.allocateDirect(headBytes.length + body.length);
        request.put(headBytes).put(body).flip();
        bodyStart = headBytes.length;
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /**
     * Connects; blocks as long as the limit allows.
     *
     * @throws IOException when nobody listens there
     */
    static HttpConnection connect(URI server, int port, int bodyBytes, Selector selector, Duration limit)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket()
                    .connect(new java.net.InetSocketAddress(server.getHost(), port), Math.toIntExact(limit.toMillis()));
            return new HttpConnection(channel, server, bodyBytes, selector);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    /** Sends a request, or as much of it as the socket takes; {@link #goOn} sends the rest. */
    void send(long next, long nowNanos) throws IOException {
        number = next;
        sentNanos = nowNanos;
        for (int i = 0; i < NUMBER_DIGITS; i++) {
            body[i] = DIGITS[(int) (next >>> 4 * (NUMBER_DIGITS - 1 - i)) & 0xF];
            request.put(bodyStart + i, body[i]);
        }
        answer.clear();
        request.rewind();
        goOn();
    }

    /** Writes what is left of the request. */
    void goOn() throws IOException {
        channel.write(request);
        int wanted = request.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    /** Reads what is there. @return whether the answer is complete */
    boolean read() throws IOException {
        int count = channel.read(answer.room());
        if (count < 0) {
            throw new IOException("the server closed the connection");
        }
        if (count > 0 && number < 0) {
            throw new IOException("the server sent what nobody had asked for");
        }
        return count > 0 && answer.took(count);
    }

    /** The request was answered: nothing is on its way. */
    void rest() {
        number = -1;
    }

    HttpAnswer answer() {
        return answer;
    }

    /** What was sent and is expected back. */
    byte[] body() {
        return body;
    }

    /** Of the request that is on its way; -1 without one. */
    long number() {
        return number;
    }

    long sentNanos() {
        return sentNanos;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
