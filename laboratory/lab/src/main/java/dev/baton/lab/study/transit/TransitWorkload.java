package dev.baton.lab.study.transit;

import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.Engines;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.Instruments;
import dev.baton.lab.trial.Workload;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.machine.CpuLists;
import dev.baton.measuring.rig.ChainRig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A chain of one topic and no service, its two threads bound to CPUs where that was asked for, and the floor after it. */
public final class TransitWorkload implements Workload {
    private final Instruments instruments;
    private final TransitStudy study;
    private final ChainWorkload chain;
    private final Floor floor;

    private TransitWorkload(Instruments instruments, TransitStudy study, ChainWorkload chain) {
        this.instruments = instruments;
        this.study = study;
        this.chain = chain;
        floor = new Floor(instruments.trial(), study);
    }

    /** Over the engine that the plan names. */
    public static TransitWorkload open(Instruments instruments) {
        TransitStudy study = (TransitStudy) instruments.plan().study();
        ChainRig rig = PinnedRig.over(Engines.open(instruments), study.cpus());
        try {
            return new TransitWorkload(instruments, study, new ChainWorkload(instruments, rig));
        } catch (RuntimeException | Error failure) {
            rig.close();
            throw failure;
        }
    }

    @Override
    public TransportProperties properties() {
        return chain.properties();
    }

    @Override
    public int size() {
        return chain.size();
    }

    @Override
    public void prepare() {
        chain.prepare();
    }

    @Override
    public void start(int part) {
        chain.start(part);
    }

    @Override
    public long sentCount() {
        return chain.sentCount();
    }

    @Override
    public long receivedCount() {
        return chain.receivedCount();
    }

    @Override
    public boolean isDone() {
        return chain.isDone();
    }

    @Override
    public Optional<String> failure() {
        return chain.failure();
    }

    @Override
    public void stop(Duration limit) {
        chain.stop(limit);
    }

    @Override
    public FinalCounts settle(LatencyHistograms charged) {
        return chain.settle(charged);
    }

    /** The floor, of a trial that was not cut short. */
    @Override
    public void measureBeside(BooleanSupplier isOver) {
        boolean isWhole = instruments.window().measuredNanos()
                == instruments.plan().phases().measureNanos();
        if (study.floorNanos() > 0 && isWhole && !isOver.getAsBoolean()) {
            floor.measure(isOver);
        }
    }

    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        return chain.judge(stopped, interruption, finalCounts, total, host);
    }

    @Override
    public Findings findings() {
        return new TransitFindings(floor.latency(), floor.doubts(), study.cpus(), CpuLists.isolated());
    }

    @Override
    public List<Stage> stages() {
        return chain.stages();
    }

    @Override
    public void close() {
        chain.close();
    }
}
