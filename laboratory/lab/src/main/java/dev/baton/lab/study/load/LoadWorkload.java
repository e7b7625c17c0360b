package dev.baton.lab.study.load;

import dev.baton.chains.ProvidedChain;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.Workload;
import dev.baton.lab.trial.ends.ArrivalListener;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.rig.ChainRig;
import java.net.URI;
import java.time.Duration;

/**
 * A closed loop: requests that are always on their way. Here its clients are the two ends of a chain: its source sends one for each answer
 * at its outlet.
 */
final class LoadWorkload extends ChainWorkload {
    private final ClosedLoop loop;
    private final boolean isSentFromThread;

    private LoadWorkload(Instruments instruments, ChainRig rig, ProvidedChain provided) {
        super(instruments, rig, provided, ArrivalListener.NONE);
        loop = new ClosedLoop(instruments, this);
        isSentFromThread = instruments.plan().load().isSentFromThread();
    }

    /** Opens what the plan's study asks for: requests to a chain or over HTTP. */
    static Workload of(Instruments instruments, LoadStudy study) {
        return switch (study.way()) {
            case CHAIN -> open(instruments, (rig, provided) -> new LoadWorkload(instruments, rig, provided));
            case GATEWAY ->
                HttpClients.open(
                        instruments,
                        study,
                        GatewaySide.open(instruments.trial()),
                        study.companion() == null
                                ? "over HTTP, all on one thread of the JVM that runs the server, too: they share its cores,"
                                        + " its memory and its CPU figures"
                                : "over HTTP, all on one thread of a process of their own: memory and CPU are the server's");
            case URL ->
                HttpClients.open(
                        instruments,
                        study,
                        new HttpServerSide.Elsewhere(URI.create(study.url())),
                        "over HTTP to " + study.redacted().url()
                                + ", all on one thread; CPU and memory are the clients' own");
        };
    }

    @Override
    public void stop(Duration limit) {
        loop.close();
        super.stop(limit);
    }

    @Override
    public FinalCounts settle(LatencyHistograms charged) {
        return loop.rated(super.settle(charged));
    }

    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        loop.judged(total);
        return super.judge(stopped, interruption, finalCounts, total, host);
    }

    @Override
    public Findings findings() {
        return loop.findings(
                firstArrivalNanos(),
                isSentFromThread
                        ? "one thread that sends, and the threads that receive"
                        : "source and sink of the chain, on its own loops");
    }

    @Override
    public void close() {
        loop.close();
        super.close();
    }
}
