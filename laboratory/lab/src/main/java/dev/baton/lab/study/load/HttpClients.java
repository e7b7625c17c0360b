package dev.baton.lab.study.load;

import dev.baton.lab.launch.Companion;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Rate;
import dev.baton.lab.study.load.LoadStudy.Method;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.Judge;
import dev.baton.lab.trial.Workload;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.Counter;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.LatencyRecorder;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.Threads;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.TransportProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The account of HTTP clients and of their server. A broken connection ends the trial.
 *
 * <p>The threads are those of {@link Workload}; other threads read the results of the clients' thread after {@link #stop}, except the
 * counters.
 */
final class HttpClients implements Workload, ClientSide.Answers {
    private static final long LEAD_MILLIS = 1;
    private static final long STOP_MILLIS = 2_000;
    private static final int MOST_INCIDENTS = 5;

    private final Instruments instruments;
    private final Window window;
    private final HttpServerSide server;
    private final ClientSide clients;
    private final String description;
    private final InstanceHistogram services;
    private final List<Incident> incidents = new ArrayList<>();
    private final Counter sent = new Counter();
    private final Counter received = new Counter();
    private final Thread thread = new Thread(this::run, "baton-lab-http");
    private LatencyRecorder[] recorders; // by phase
    private long corrupted;
    private volatile long firstNanos;
    private volatile boolean isDone;
    private volatile boolean isStopped;
    private volatile String failure;
    private final ClosedLoop loop;

    HttpClients(Instruments instruments, HttpServerSide server, ClientSide clients, String description) {
        this.instruments = instruments;
        this.server = server;
        this.clients = clients;
        this.description = description;
        window = instruments.window();
        services = new InstanceHistogram(instruments.highestNanos());
        thread.setDaemon(true);
        loop = new ClosedLoop(instruments, this);
    }

    /**
     * Opens the clients of the plan's study.
     *
     * @param server is closed with them
     * @param description what they are and where they run, in a line
     */
    static HttpClients open(Instruments instruments, LoadStudy study, HttpServerSide server, String description) {
        try {
            HttpTarget target = new HttpTarget(
                    server.uri(),
                    study.method() == null ? Method.POST : study.method(),
                    server.isOurs(),
                    instruments.plan().shape().payloadBytes(),
                    instruments.plan().load().concurrency());
            ClientSide clients = study.companion() == null
                    ? new HttpLoop(target)
                    : new ClientProcess(target, Companion.port(), ClientProcess.MAX_SILENCE_MILLIS);
            return new HttpClients(instruments, server, clients, description);
        } catch (RuntimeException | Error failure) {
            server.close();
            throw failure;
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

    @Override
    public void prepare() {
        clients.connect();
    }

    @Override
    public List<Long> companions() {
        return clients.pids();
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
            clients.run(this, window::endNanos, () -> isStopped);
            isDone = received.count() + corrupted == sent.count();
        } catch (Throwable broken) { // also an Error, such as too little memory: the trial would wait for the answers
            boolean isInWords = !(broken instanceof Error) && broken.getMessage() != null;
            failure = isInWords ? broken.getMessage() : broken.toString();
        }
    }

    @Override
    public void onSent() {
        sent.increment();
    }

    @Override
    public void onFault(long number, String detail) {
        corrupted++;
        if (incidents.size() < MOST_INCIDENTS) {
            incidents.add(new Incident(1, number + 1, Incident.Kind.CORRUPTED, detail));
        }
    }

    @Override
    public void onAnswer(long sentNanos, long nanos) {
        long now = sentNanos + nanos;
        if (firstNanos == 0) {
            firstNanos = now;
        }
        received.increment();
        boolean isMeasured = now - window.measureNanos() >= 0 && now - window.endNanos() < 0;
        int phase = isMeasured ? RecorderPool.MEASURED : RecorderPool.WARM_UP;
        recorders[phase].recordMessage(sentNanos, 0, nanos, sentNanos);
        services.record(phase, nanos);
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
        loop.close();
        isStopped = true;
        Threads.awaitEnd(thread, STOP_MILLIS);
        clients.close();
        server.stop();
    }

    /** Settles the counts; requests without an answer are charged as if it had come at the deadline. */
    @Override
    public FinalCounts settle(LatencyHistograms charged) {
        long open = 0;
        for (long sentNanos : clients.open()) {
            open++;
            long nanos = window.deadlineNanos() - sentNanos;
            charged.recordArrival(nanos, nanos);
            services.record(nanos);
        }
        Delivery delivery = new Delivery(sent.count(), received.count(), 0, open, 0, 0, corrupted, 0, incidents, 0);
        return loop.rated(new FinalCounts(
                delivery, new Rate(0, 0, 1, 1, 1), List.of(InstanceFigures.of(1, services, sent.count(), corrupted))));
    }

    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        loop.judged(total);
        return Judge.of(instruments.plan(), window, host)
                .blindBecause("whether the server dropped a request or is slow to answer, its clients cannot see")
                .decide(stopped, interruption, finalCounts, List.of(services), total.sendDelay());
    }

    @Override
    public Findings findings() {
        String cost = String.format(Locale.ROOT, "; their thread used %.0f %% of a core", 100 * clients.cpuCores());
        return loop.findings(firstNanos, description + cost);
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
        server.close();
    }
}
