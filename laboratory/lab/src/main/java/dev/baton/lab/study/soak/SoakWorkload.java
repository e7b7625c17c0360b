package dev.baton.lab.study.soak;

import dev.baton.chains.ProvidedChain;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Second;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.ends.ArrivalListener;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.rig.ChainRig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Chains as every trial runs them, and the counts of the resources of the process. Judged like any chains, and failed also when a quantity
 * grows. Called by the trial's thread, except for the counts of messages.
 */
public final class SoakWorkload extends ChainWorkload {
    private final Instruments instruments;
    private final ResourceSeries series;
    private List<Second> seconds = List.of();
    private List<Trend> trends = List.of();

    private SoakWorkload(Instruments instruments, ChainRig rig, ProvidedChain provided, SoakStudy study) {
        super(instruments, rig, provided, ArrivalListener.NONE);
        this.instruments = instruments;
        ResourceProbe probe = new ResourceProbe(queues(instruments));
        long nanos = instruments.plan().phases().measureNanos();
        series = new ResourceSeries(instruments.window(), nanos, study.points(), probe::now, probe::close);
    }

    static SoakWorkload open(Instruments instruments, SoakStudy study) {
        return open(instruments, (rig, provided) -> new SoakWorkload(instruments, rig, provided, study));
    }

    /** Their directory; null where there is none. */
    private static Path queues(Instruments instruments) {
        String directory = instruments.trial().place().queueDirectory();
        return directory == null ? null : Path.of(directory);
    }

    @Override
    public void stop(Duration limit) {
        series.close();
        super.stop(limit);
    }

    @Override
    public List<Second> timeline(List<Second> plain) {
        seconds = series.in(plain);
        return seconds;
    }

    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        Outcome outcome = super.judge(stopped, interruption, finalCounts, total, host);
        Double otherProcessesCores = host == null ? null : host.otherProcessesCores();
        trends = new TrendJudge(instruments.window().measuredNanos(), otherProcessesCores, unjudged()).judge(seconds);
        return outcome.verdict() == Verdict.INTERRUPTED
                ? outcome
                : TrendJudge.outcome(outcome, trends, series.failure());
    }

    /** Returns why the queues may grow: messages that are not freed on purpose remain. */
    private Map<Quantity, String> unjudged() {
        boolean isFreed = "unread".equals(instruments.plan().subject().options().get("retention"));
        return queues(instruments) == null || isFreed
                ? Map.of()
                : Map.of(Quantity.DISK, "everything is kept, as configured");
    }

    @Override
    public Findings findings() {
        return new SoakFindings(series.size(), TrendJudge.RULE, trends, List.of());
    }

    @Override
    public void close() {
        series.close();
        super.close();
    }
}
