package dev.baton.lab.study.load;

import dev.baton.lab.launch.Companion;
import dev.baton.operations.line.CommandException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;

/**
 * HTTP clients in a process of their own: it says on which port of the loopback it listens, and does for the one that
 * connects there what {@link ClientProcess} asks. Ends with that connection, and when its standard input does.
 */
public final class HttpClientMain {
    /** The type of a message, its first byte. */
    static final int CONNECTED = 1;

    static final int SENT = 2;
    static final int ANSWER = 3;
    static final int FAULT = 4;
    static final int ENDED = 5;
    static final int BROKEN = 6;
    static final int TURN = 7;

    private static final int BUFFER_BYTES = 64 << 10;
    private static final long TELL_NANOS = 10_000_000;

    private volatile long endNanos;
    private volatile boolean isStopped;

    private HttpClientMain() {}

    public static void main(String[] arguments) throws IOException {
        Companion.endWithStandardInput();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Companion.announce(server.getLocalPort());
            try (Socket socket = server.accept()) {
                new HttpClientMain().serve(socket);
            }
        }
    }

    /** Serves one connection, from its first message to its last. */
    private void serve(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
        try (HttpLoop loop = new HttpLoop(HttpTarget.read(in))) {
            loop.connect();
            out.write(CONNECTED);
            out.writeLong(ProcessHandle.current().pid());
            out.writeLong(System.nanoTime());
            out.flush();
            endNanos = in.readLong();
            Thread listener = new Thread(() -> listen(in), "baton-lab-end");
            listener.setDaemon(true);
            listener.start();
            loop.run(new Told(out), () -> endNanos, () -> isStopped);
            out.write(ENDED);
            out.writeDouble(loop.cpuCores());
            List<Long> open = loop.open();
            out.writeInt(open.size());
            for (long each : open) {
                out.writeLong(each);
            }
        } catch (CommandException | IOException broken) {
            out.write(BROKEN);
            out.writeUTF(String.valueOf(broken.getMessage()));
        }
        out.flush();
    }

    /** Waits for the end, which may be requested early; a lost connection is an end, too. */
    private void listen(DataInputStream in) {
        try {
            while (true) {
                endNanos = in.readLong();
            }
        } catch (IOException over) {
            isStopped = true;
        }
    }

    /** Reports to the other process. Confined to the clients' thread. */
    private static final class Told implements ClientSide.Answers {
        private final DataOutputStream out;
        private long toldNanos = System.nanoTime();

        Told(DataOutputStream out) {
            this.out = out;
        }

        @Override
        public void onSent() throws IOException {
            out.write(SENT);
        }

        @Override
        public void onAnswer(long sentNanos, long nanos) throws IOException {
            out.write(ANSWER);
            out.writeLong(sentNanos);
            out.writeLong(nanos);
        }

        @Override
        public void onFault(long number, String detail) throws IOException {
            out.write(FAULT);
            out.writeLong(number);
            out.writeUTF(detail);
        }

        @Override
        public void onTurn() throws IOException {
            long now = System.nanoTime();
            if (now - toldNanos >= TELL_NANOS) {
                toldNanos = now;
                out.write(TURN);
                out.flush();
            }
        }
    }
}
