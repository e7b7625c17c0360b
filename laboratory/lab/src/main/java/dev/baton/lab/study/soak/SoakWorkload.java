package dev.baton.lab.study.soak;

import dev.baton.Service;
import dev.baton.lab.request.Place;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.Instruments;
import dev.baton.lab.trial.Workload;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.TransportProperties;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Chains as every trial runs them, and beside them the counting of what the process holds. Judged like any chains, and
 * failed besides when a quantity grows. Called by the trial's thread, but for {@code MessageCounts}.
 */
public final class SoakWorkload implements Workload {
    private static final Supplier<Service> FORWARDING = () -> (in, out) -> out.forward(in);

    private final Instruments instruments;
    private final SoakStudy study;
    private final ChainWorkload chains;
    private final PlantedLeak leak; // null: none
    private final ResourceSeries series;
    private List<Second> seconds = List.of();
    private List<Trend> trends = List.of();

    private SoakWorkload(Instruments instruments, SoakStudy study, ChainWorkload chains, PlantedLeak leak) {
        this.instruments = instruments;
        this.study = study;
        this.chains = chains;
        this.leak = leak;
        series = ResourceSeries.start(
                instruments.window(),
                instruments.plan().phases().measureNanos(),
                study.points(),
                DiskUse.of(queues(instruments.trial().place())));
    }

    /** Of a plan with a {@link SoakStudy}. */
    public static SoakWorkload open(Instruments instruments) {
        SoakStudy study = (SoakStudy) instruments.plan().study();
        PlantedLeak leak = study.leak() == null
                ? null
                : new PlantedLeak(study.leak(), queues(instruments.trial().place()));
        AtomicBoolean isPlanted = new AtomicBoolean(leak == null);
        Supplier<Service> services = () -> isPlanted.compareAndSet(false, true) ? leak : FORWARDING.get();
        ChainWorkload chains = ChainWorkload.open(instruments, services);
        try {
            return new SoakWorkload(instruments, study, chains, leak);
        } catch (RuntimeException | Error failure) {
            chains.close();
            throw failure;
        }
    }

    private static Path queues(Place place) {
        String directory = place.queueDirectory();
        return directory == null ? null : Path.of(directory);
    }

    @Override
    public TransportProperties properties() {
        return chains.properties();
    }

    @Override
    public int size() {
        return chains.size();
    }

    @Override
    public void prepare() {
        chains.prepare();
    }

    @Override
    public void start(int part) {
        chains.start(part);
    }

    @Override
    public long sentCount() {
        return chains.sentCount();
    }

    @Override
    public long receivedCount() {
        return chains.receivedCount();
    }

    @Override
    public boolean isDone() {
        return chains.isDone();
    }

    @Override
    public Optional<String> failure() {
        return chains.failure();
    }

    @Override
    public void stop(Duration limit) {
        series.close();
        chains.stop(limit);
    }

    @Override
    public FinalCounts settle(LatencyHistograms charged) {
        return chains.settle(charged);
    }

    @Override
    public List<Second> timeline(List<Second> plain) {
        seconds = series.in(plain);
        return seconds;
    }

    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        Outcome outcome = chains.judge(stopped, interruption, finalCounts, total, host);
        Double otherProcessesCores = host == null ? null : host.otherProcessesCores();
        trends = new TrendJudge(instruments.window().measuredNanos(), otherProcessesCores, disk()).judge(seconds);
        return outcome.verdict() == Verdict.INTERRUPTED ? outcome : SoakVerdict.of(outcome, trends, series.failure());
    }

    /** Why the queues may grow: what nobody asked to be given back stays. */
    private String disk() {
        var subject = instruments.plan().subject();
        boolean isFreed = "unread".equals(subject.options().get("retention"));
        return queues(instruments.trial().place()) == null || isFreed ? "" : "everything is kept, as configured";
    }

    @Override
    public Findings findings() {
        return new SoakFindings(series.size(), TrendJudge.rule(), trends);
    }

    @Override
    public List<Stage> stages() {
        return chains.stages();
    }

    @Override
    public void close() {
        series.close();
        chains.close();
        if (leak != null) {
            leak.close();
        }
    }
}
