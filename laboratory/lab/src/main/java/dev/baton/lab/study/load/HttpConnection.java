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
 * One client's kept-alive connection: it writes a request that carries its number, and reads the answer. Confined to the clients' thread,
 * except {@link #connect}.
 */
final class HttpConnection implements AutoCloseable {
    /** A request's number in its body. */
    static final int NUMBER_DIGITS = 16;

    private static final int HTTP_PORT = 80;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final SocketChannel channel;
    private final ByteBuffer request;
    /** The sent and expected body. */
    final byte[] body;

    private final int bodyStart; // -1: the request carries no number
    final HttpAnswer answer;
    private final SelectionKey key;
    private long number = -1; // -1: nothing is on its way
    private long sentNanos;

    private HttpConnection(SocketChannel channel, HttpTarget target, Selector selector) throws IOException {
        this.channel = channel;
        body = new byte[Math.max(NUMBER_DIGITS, target.bodyBytes())];
        Arrays.fill(body, (byte) '.');
        answer = new HttpAnswer(body.length);
        byte[] before = target.beforeBody(body.length).getBytes(StandardCharsets.US_ASCII);
        byte[] after = target.afterBody().getBytes(StandardCharsets.US_ASCII);
        int room = target.hasBody() ? body.length : 0;
        request = ByteBuffer.allocateDirect(before.length + room + after.length);
        request.put(before).put(body, 0, room).put(after).flip();
        bodyStart = target.hasBody() ? before.length : -1;
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Connects; blocks as long as the limit allows. @throws IOException when no server listens there */
    static HttpConnection connect(HttpTarget target, Selector selector, Duration limit) throws IOException {
        URI server = target.uri();
        int port = server.getPort() < 0 ? HTTP_PORT : server.getPort();
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket()
                    .connect(new java.net.InetSocketAddress(server.getHost(), port), Math.toIntExact(limit.toMillis()));
            return new HttpConnection(channel, target, selector);
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
            if (bodyStart >= 0) {
                request.put(bodyStart + i, body[i]);
            }
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
            throw new IOException("the server sent data without a request");
        }
        return count > 0 && answer.took(count);
    }

    /** Records that the request was answered, so that none is on its way. */
    void rest() {
        number = -1;
    }

    /** {@return the number of the request on its way; -1 for none} */
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
