package dev.baton.lab.study.chaos;

import dev.baton.RunningChain;
import dev.baton.SnapshotPolicy;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.function.Consumer;

/** The process of the service of the chain that is a sliding window. Threads as its parent. */
final class WindowEnd extends ChainEnd {
    /** Part of the line that says that it is ready. */
    static final String READY = "counts";

    private final int window;
    private boolean hasBegun;

    WindowEnd(Plan plan) {
        super(plan);
        window = FaultSchedule.summing(plan.services());
    }

    @Override
    RunningChain start(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
        hasBegun = false;
        return ForwardingChain.of(
                        plan().chain(),
                        plan().services(),
                        number -> number == window
                                ? WindowResults.service(plan().intervalNanos())
                                : ForwardingChain.forwarding())
                .on(transport)
                .with(loops)
                .only(FaultSchedule.service(window))
                .snapshots(SnapshotPolicy.every(Duration.ofMillis(ChainProcesses.SNAPSHOT_MILLIS)))
                .onFailure(onFailure)
                .start();
    }

    @Override
    void tell(RunningChain running, Consumer<String> say) {
        if (!hasBegun) {
            hasBegun = true;
            say.accept(READY);
        }
    }
}
