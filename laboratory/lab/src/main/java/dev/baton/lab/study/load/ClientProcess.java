package dev.baton.lab.study.load;

import dev.baton.operations.line.CommandException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Clients that run in {@link HttpClientMain}, which reports answers every 10 ms: their cost here is the reading of 18 bytes for each
 * answer. Times are converted from its clock to this one by the first exchange, to about a millisecond; the time of an answer is measured
 * on one clock. The threads are those of {@link ClientSide}.
 */
final class ClientProcess implements ClientSide {
    /** The longest silence of connected clients, which report every 10 ms, before their process counts as stalled. */
    static final int MAX_SILENCE_MILLIS = 60_000;

    private final HttpTarget target;
    private final int port;
    private final int maxSilenceMillis;
    private final List<Long> open = new ArrayList<>();
    private Socket socket; // null until connected
    private DataInputStream in;
    private DataOutputStream out;
    private long pid;
    private long aheadNanos; // this clock before the other
    private double cpuCores;

    /**
     * Creates the clients.
     *
     * @param port on which the process listens
     * @param maxSilenceMillis time after which it considers the process lost
     */
    ClientProcess(HttpTarget target, int port, int maxSilenceMillis) {
        this.target = target;
        this.port = port;
        this.maxSilenceMillis = maxSilenceMillis;
    }

    @Override
    public void connect() {
        CommandException.guarded("the clients' process does not answer", () -> {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(maxSilenceMillis);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(socket.getOutputStream());
            target.write(out);
            if (in.read() != HttpClientMain.CONNECTED) {
                throw CommandException.environment(in.readUTF());
            }
            pid = in.readLong();
            aheadNanos = System.nanoTime() - in.readLong();
        });
    }

    @Override
    public void run(Answers answers, LongSupplier endNanos, BooleanSupplier isStopped) throws IOException {
        try {
            long end = endNanos.getAsLong();
            out.writeLong(end - aheadNanos);
            boolean isTold = false;
            while (take(answers)) {
                if (endNanos.getAsLong() != end) {
                    end = endNanos.getAsLong();
                    out.writeLong(end - aheadNanos);
                }
                if (isStopped.getAsBoolean() && !isTold) {
                    isTold = true;
                    socket.shutdownOutput();
                }
            }
        } catch (EOFException gone) {
            throw new IOException("the clients' process has ended", gone);
        } catch (SocketTimeoutException silent) {
            throw new IOException("the clients' process has sent nothing for " + maxSilenceMillis + " ms", silent);
        }
    }

    /**
     * Takes a report.
     *
     * @return whether more follow
     */
    private boolean take(Answers answers) throws IOException {
        int kind = in.readUnsignedByte();
        switch (kind) {
            case HttpClientMain.SENT -> answers.onSent();
            case HttpClientMain.ANSWER -> answers.onAnswer(in.readLong() + aheadNanos, in.readLong());
            case HttpClientMain.FAULT -> answers.onFault(in.readLong(), in.readUTF());
            case HttpClientMain.TURN -> answers.onTurn();
            case HttpClientMain.BROKEN -> throw new IOException(in.readUTF());
            case HttpClientMain.ENDED -> {
                cpuCores = in.readDouble();
                int count = in.readInt();
                for (int i = 0; i < count; i++) {
                    open.add(in.readLong() + aheadNanos);
                }
                return false;
            }
            default -> throw new IOException("the clients' process sent " + kind);
        }
        return true;
    }

    @Override
    public List<Long> open() {
        return List.copyOf(open);
    }

    @Override
    public double cpuCores() {
        return cpuCores;
    }

    @Override
    public List<Long> pids() {
        return pid == 0 ? List.of() : List.of(pid);
    }

    @Override
    public void close() {
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException gone) {
            // as good as closed
        }
    }
}
