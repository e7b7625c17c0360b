package dev.baton.lab.study.load;

import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The clients of this process: each keeps a connection and sends its next request when its answer is there, all on one
 * thread. An answer counts when it is complete, a success, and for a server of ours the body that was sent; any other is a
 * fault. Threads as in {@link ClientSide}.
 */
final class HttpLoop implements ClientSide {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final long SELECT_MILLIS = 5;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final HttpTarget target;
    private final Selector selector;
    private final List<HttpConnection> connections = new ArrayList<>();
    private Answers answers; // null until it runs
    private LongSupplier endNanos;
    private BooleanSupplier isStopped;
    private long sent;
    private long answered; // faults included
    private double cpuCores;

    HttpLoop(HttpTarget target) {
        this.target = target;
        selector = CommandException.guarded("cannot open a selector", Selector::open);
    }

    @Override
    public void connect() {
        for (int i = 0; i < target.clients(); i++) {
            try {
                connections.add(HttpConnection.connect(target, selector, CONNECT_LIMIT));
            } catch (IOException | RuntimeException refused) {
                throw CommandException.environment(
                        "connection " + (i + 1) + " to " + target.uri() + " was refused: " + refused.getMessage()
                                + "; is a server listening there?",
                        refused);
            }
        }
    }

    @Override
    public void run(Answers taker, LongSupplier end, BooleanSupplier isOver) throws IOException {
        answers = taker;
        endNanos = end;
        isStopped = isOver;
        long began = System.nanoTime();
        long cpuAtBegin = THREADS.getCurrentThreadCpuTime();
        try {
            for (HttpConnection each : connections) {
                sendNext(each);
            }
            while (!isStopped.getAsBoolean() && (answered < sent || System.nanoTime() - endNanos.getAsLong() < 0)) {
                selector.select(this::turn, SELECT_MILLIS);
                answers.onTurn();
            }
        } catch (IOException | RuntimeException broken) {
            throw new IOException("a connection broke: " + broken.getMessage(), broken);
        } finally {
            cpuCores = (THREADS.getCurrentThreadCpuTime() - cpuAtBegin) / (double) (System.nanoTime() - began);
        }
    }

    private void turn(SelectionKey key) {
        HttpConnection connection = (HttpConnection) key.attachment();
        try {
            if (key.isWritable()) {
                connection.goOn();
            }
            if (key.isReadable() && connection.read()) {
                take(connection);
                sendNext(connection);
            }
        } catch (IOException broken) {
            throw new IllegalStateException(broken.getMessage(), broken);
        }
    }

    private void sendNext(HttpConnection connection) throws IOException {
        long now = System.nanoTime();
        if (now - endNanos.getAsLong() < 0 && !isStopped.getAsBoolean()) {
            long number = sent;
            sent++;
            answers.onSent();
            connection.send(number, now);
        }
    }

    private void take(HttpConnection connection) throws IOException {
        long now = System.nanoTime();
        long number = connection.number();
        connection.rest();
        answered++;
        HttpAnswer answer = connection.answer;
        if (answer.isClosing()) {
            throw new IllegalStateException("the server closes connections after its answers");
        }
        if (!answer.isSuccess()) {
            answers.onFault(number, "status " + answer.status());
        } else if (target.isOurs() && !answer.isBody(connection.body)) {
            answers.onFault(number, "another body than was sent");
        } else {
            answers.onAnswer(connection.sentNanos(), now - connection.sentNanos());
        }
    }

    @Override
    public List<Long> open() {
        return connections.stream()
                .filter(each -> each.number() >= 0)
                .map(HttpConnection::sentNanos)
                .toList();
    }

    @Override
    public double cpuCores() {
        return cpuCores;
    }

    @Override
    public void close() {
        try {
            for (HttpConnection each : connections) {
                each.close();
            }
            selector.close();
        } catch (IOException gone) {
            // as good as closed
        }
    }
}
