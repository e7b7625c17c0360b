package dev.baton.lab.study.load;

import dev.baton.lab.launch.Companion;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Rate;
import dev.baton.lab.study.load.LoadStudy.Method;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.Instruments;
import dev.baton.lab.trial.Workload;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.machine.ProcessUse;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * A closed loop: requests that are always on their way, to a chain or over HTTP. It counts what was answered within the
 * window, and adds how the JVM came to its speed and what its process used.
 */
public final class LoadWorkload implements Workload {
    private final Instruments instruments;
    private final Workload workload;
    private final Supplier<OptionalLong> firstAnswer;
    private final Supplier<String> description;
    private final AnswerSeries series;
    private Histogram services; // null until judged
    private ProcessUse use;

    /**
     * @param workload of those who send a request when the one before is answered
     * @param firstAnswer when the first answer came, on the trial's clock; empty before. For any thread
     * @param description what they are and where they run, in a line; after they have stopped
     */
    private LoadWorkload(
            Instruments instruments,
            Workload workload,
            Supplier<OptionalLong> firstAnswer,
            Supplier<String> description) {
        this.instruments = instruments;
        this.workload = workload;
        this.firstAnswer = firstAnswer;
        this.description = description;
        series = new AnswerSeries(
                workload, instruments.window(), instruments.plan().phases());
    }

    /** Opens what the plan's study asks for. */
    public static LoadWorkload open(Instruments instruments) {
        LoadStudy study = (LoadStudy) instruments.plan().study();
        return switch (study.way()) {
            case CHAIN -> ofChain(instruments);
            case GATEWAY ->
                ofServer(
                        instruments,
                        GatewaySide.open(instruments.trial()),
                        study.companion() == null
                                ? "over HTTP, all on one thread of the JVM that runs the server, too: they share its cores,"
                                        + " its memory and its CPU figures"
                                : "over HTTP, all on one thread of a process of their own: memory and CPU are the server's");
            case URL ->
                ofServer(
                        instruments,
                        new HttpServerSide.Elsewhere(URI.create(study.url())),
                        "over HTTP to " + study.redacted().url()
                                + ", all on one thread; CPU and memory are the clients' own");
        };
    }

    /** Clients that live at the two ends of a chain: its source sends for each answer that its outlet has seen. */
    private static LoadWorkload ofChain(Instruments instruments) {
        ChainWorkload chain = ChainWorkload.open(instruments);
        return new LoadWorkload(
                instruments, chain, chain::firstArrivalNanos, () -> "source and outlet of the chain, on its own loops");
    }

    private static LoadWorkload ofServer(Instruments instruments, HttpServerSide server, String description) {
        try {
            HttpClients clients = new HttpClients(instruments, server, clients(instruments, server));
            return new LoadWorkload(
                    instruments, clients, clients::firstAnswerNanos, () -> description + clients.cost());
        } catch (RuntimeException | Error failure) {
            server.close();
            throw failure;
        }
    }

    private static ClientSide clients(Instruments instruments, HttpServerSide server) {
        LoadStudy study = (LoadStudy) instruments.plan().study();
        HttpTarget target = new HttpTarget(
                server.uri(),
                study.method() == null ? Method.POST : study.method(),
                server.isOurs(),
                instruments.plan().shape().payloadBytes(),
                instruments.plan().load().concurrency());
        return study.companion() == null
                ? new HttpLoop(target)
                : new ClientProcess(target, Companion.port(), ClientProcess.MAX_SILENCE_MILLIS);
    }

    @Override
    public TransportProperties properties() {
        return workload.properties();
    }

    @Override
    public List<Long> companions() {
        return workload.companions();
    }

    @Override
    public int size() {
        return workload.size();
    }

    @Override
    public void prepare() {
        workload.prepare();
    }

    @Override
    public void start(int part) {
        workload.start(part);
    }

    @Override
    public long sentCount() {
        return workload.sentCount();
    }

    @Override
    public long receivedCount() {
        return workload.receivedCount();
    }

    @Override
    public boolean isDone() {
        return workload.isDone();
    }

    @Override
    public Optional<String> failure() {
        return workload.failure();
    }

    @Override
    public void stop(Duration limit) {
        series.close();
        if (use == null) {
            use = ProcessUse.now();
        }
        workload.stop(limit);
    }

    /** The rate is that of the answers of the window: in a closed loop no other was asked for. */
    @Override
    public FinalCounts settle(LatencyHistograms charged) {
        FinalCounts settled = workload.settle(charged);
        long answered = settled.worstInstances().stream()
                .mapToLong(InstanceFigures::count)
                .sum();
        answered = Math.max(
                0, answered - settled.delivery().lost() - settled.delivery().undrained());
        double seconds = instruments.window().measuredNanos() / 1e9;
        double rate = seconds == 0 ? 0 : answered / seconds;
        return new FinalCounts(settled.delivery(), new Rate(rate, rate, 1, 1, 1), settled.worstInstances());
    }

    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        services = total.response();
        return workload.judge(stopped, interruption, finalCounts, total, host);
    }

    @Override
    public Findings findings() {
        OptionalLong first = firstAnswer.get();
        return new LoadFindings(
                Distribution.shares(services, instruments.window().measuredNanos()),
                Distribution.bars(services),
                use.peakResidentBytes(),
                use.majorFaults(),
                series.measuredMajorFaults(),
                series.gcCpuShare(),
                first.isPresent() ? Long.valueOf(series.sinceStart(first.getAsLong())) : null,
                SteadyState.nanos(series.intervals()),
                series.rule(),
                series.intervals(),
                description.get());
    }

    @Override
    public List<Stage> stages() {
        return workload.stages();
    }

    @Override
    public void close() {
        series.close();
        workload.close();
    }
}
