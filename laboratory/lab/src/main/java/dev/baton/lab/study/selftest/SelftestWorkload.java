package dev.baton.lab.study.selftest;

import dev.baton.lab.results.Findings;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.Instruments;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Chains over the faulty transport: generators, receivers and judge are those of every trial. Called by the trial's
 * thread alone.
 */
public final class SelftestWorkload extends ChainWorkload {
    private final FaultyTransport transport;
    private List<String> foreignClasses;

    private SelftestWorkload(Instruments instruments, FaultyTransport transport) {
        super(instruments, transport);
        this.transport = transport;
    }

    /** Of a plan with a {@link SelftestStudy}. */
    public static SelftestWorkload open(Instruments instruments) {
        return new SelftestWorkload(instruments, new FaultyTransport(instruments.plan(), instruments.window()));
    }

    @Override
    public void measureBeside(BooleanSupplier isOver) {
        foreignClasses = LoadedClasses.ofTransports();
    }

    @Override
    public Findings findings() {
        return new SelftestFindings(
                ProcessHandle.current().pid(),
                transport.sentCount(),
                transport.handedOutCount(),
                transport.bunchedCount(),
                transport.ofEachInstance(Witness::disturbedNanos),
                transport.ofEachInstance(Witness::worstNanos),
                foreignClasses);
    }
}
