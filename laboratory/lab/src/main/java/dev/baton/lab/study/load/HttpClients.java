package dev.baton.lab.study.load;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Rate;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.Instruments;
import dev.baton.lab.trial.Judge;
import dev.baton.lab.trial.Window;
import dev.baton.lab.trial.Workload;
import dev.baton.measuring.Counter;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.LatencyRecorder;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients of an HTTP server: each keeps a connection and sends its next request when its answer is there, all on one
 * thread of theirs. An answer counts when it is complete, a success, and for a server of ours the body that was sent;
 * any other is a fault. A connection that breaks ends the trial.
 *
 * <p>Threads as in {@link Workload}; what the clients' thread counts is read by others after {@link #stop}, but for the
 * counters.
 */
final class HttpClients implements Workload {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final long SELECT_MILLIS = 5;
    private static final long LEAD_MILLIS = 1;
    private static final long STOP_MILLIS = 2_000;
    private static final int MOST_INCIDENTS = 5;
    private static final int HTTP_PORT = 80;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final TrialPlan plan;
    private final Instruments instruments;
    private final Window window;
    private final HttpServerSide server;
    private final InstanceHistogram services;
    private final InstanceHistogram[] servicesByPhase;
    private final List<HttpConnection> connections = new ArrayList<>();
    private final List<Incident> incidents = new ArrayList<>();
    private final Counter sent = new Counter();
    private final Counter received = new Counter();
    private final Selector selector;
    private final Thread thread = new Thread(this::run, "baton-lab-http");
    private LatencyRecorder[] recorders; // by phase
    private double cpuCores; // of the clients' thread, warm-up included
    private long corrupted;
    private volatile long firstNanos;
    private volatile boolean isDone;
    private volatile boolean isStopped;
    private volatile String failure;

    HttpClients(Instruments instruments, HttpServerSide server) {
        this.instruments = instruments;
        this.server = server;
        plan = instruments.plan();
        window = instruments.window();
        services = new InstanceHistogram(instruments.highestNanos());
        servicesByPhase = new InstanceHistogram[] {services, services.another()};
        thread.setDaemon(true);
        try {
            selector = Selector.open();
        } catch (IOException failed) {
            throw CommandException.environment("cannot open a selector: " + failed.getMessage(), failed);
        }
    }

    @Override
    public TransportProperties properties() {
        return server.properties();
    }

    @Override
    public int size() {
        return 1;
    }

    /** Connects all clients. */
    @Override
    public void prepare() {
        URI uri = server.uri();
        int port = uri.getPort() < 0 ? HTTP_PORT : uri.getPort();
        for (int i = 0; i < plan.load().concurrency(); i++) {
            try {
                connections.add(
                        HttpConnection.connect(uri, port, plan.shape().payloadBytes(), selector, CONNECT_LIMIT));
            } catch (IOException | RuntimeException refused) {
                throw CommandException.environment(
                        "connection " + (i + 1) + " to " + uri + " was refused: " + refused.getMessage()
                                + "; is a server listening there?",
                        refused);
            }
        }
    }

    @Override
    public void start(int part) {
        thread.start();
    }

    private void run() {
        try {
            while (!isStopped && (!window.isStarted() || System.nanoTime() - window.startNanos() < 0)) {
                LockSupport.parkNanos(LEAD_MILLIS * 1_000_000);
            }
            recorders = instruments.recorders().forThisThreadByPhase();
            long began = System.nanoTime();
            long cpuAtBegin = THREADS.getCurrentThreadCpuTime();
            for (HttpConnection each : connections) {
                sendNext(each);
            }
            while (!isStopped && !isDone) {
                selector.select(this::turn, SELECT_MILLIS);
                isDone = received.count() + corrupted == sent.count() && System.nanoTime() - window.endNanos() >= 0;
            }
            cpuCores = (THREADS.getCurrentThreadCpuTime() - cpuAtBegin) / (double) (System.nanoTime() - began);
        } catch (IOException | RuntimeException broken) {
            failure = "a connection broke: " + broken.getMessage();
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
        if (now - window.endNanos() < 0 && !isStopped) {
            long number = sent.count();
            sent.increment();
            connection.send(number, now);
        }
    }

    private void take(HttpConnection connection) {
        long now = System.nanoTime();
        long number = connection.number();
        connection.rest();
        HttpAnswer answer = connection.answer();
        if (answer.isClosing()) {
            throw new IllegalStateException("the server closes connections behind its answers");
        }
        if (!answer.isSuccess() || (server.isOurs() && !answer.isBody(connection.body()))) {
            corrupted++;
            if (incidents.size() < MOST_INCIDENTS) {
                String detail = answer.isSuccess() ? "another body than was sent" : "status " + answer.status();
                incidents.add(new Incident(1, number + 1, Incident.Kind.CORRUPTED, detail));
            }
            return;
        }
        if (firstNanos == 0) {
            firstNanos = now;
        }
        received.increment();
        boolean isMeasured = now - window.measureNanos() >= 0 && now - window.endNanos() < 0;
        int phase = isMeasured ? RecorderPool.MEASURED : RecorderPool.WARM_UP;
        long nanos = now - connection.sentNanos();
        recorders[phase].recordMessage(connection.sentNanos(), 0, nanos, connection.sentNanos());
        servicesByPhase[phase].record(nanos);
    }

    /** What they took themselves, in words. After {@link #stop}. */
    String cost() {
        return String.format(Locale.ROOT, "; their thread used %.0f %% of a core", 100 * cpuCores);
    }

    OptionalLong firstAnswerNanos() {
        long first = firstNanos;
        return first == 0 ? OptionalLong.empty() : OptionalLong.of(first);
    }

    @Override
    public long sentCount() {
        return sent.count();
    }

    @Override
    public long receivedCount() {
        return received.count();
    }

    @Override
    public boolean isDone() {
        return isDone;
    }

    @Override
    public Optional<String> failure() {
        return Optional.ofNullable(failure).or(server::failure);
    }

    @Override
    public void stop(Duration limit) {
        isStopped = true;
        if (selector.isOpen()) {
            selector.wakeup();
        }
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        for (HttpConnection each : connections) {
            try {
                each.close();
            } catch (IOException gone) {
                // as good as closed
            }
        }
        server.stop(limit);
    }

    /** What was not answered by the deadline is charged as if it had been then. */
    @Override
    public FinalCounts settle(LatencyHistograms charged) {
        long open = 0;
        for (HttpConnection each : connections) {
            if (each.number() >= 0) {
                open++;
                long nanos = window.deadlineNanos() - each.sentNanos();
                charged.recordArrival(nanos, nanos);
                services.record(nanos);
            }
        }
        Delivery delivery = new Delivery(sent.count(), received.count(), 0, open, 0, 0, corrupted, 0, incidents);
        return new FinalCounts(
                delivery, new Rate(0, 0, 1, 1, 1), List.of(InstanceFigures.of(1, services, sent.count(), corrupted)));
    }

    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        return new Judge(plan.limits(), window.measuredNanos(), plan.phases().drainNanos(), true, host)
                .blindBecause("whether the server dropped a request or is slow to answer, its clients cannot see")
                .decide(
                        stopped,
                        interruption,
                        finalCounts.delivery(),
                        finalCounts.rate(),
                        List.of(services),
                        total.sendDelay());
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
        try {
            selector.close();
        } catch (IOException gone) {
            // as good as closed
        }
        server.close();
    }
}
