package dev.baton.lab.study.chaos;

import dev.baton.Chain;
import dev.baton.Merge;
import dev.baton.RunningChain;
import dev.baton.SnapshotPolicy;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.function.Consumer;

/** The process of the branch or the merge of a composed chain, or of the service that is a window. Threads as its parent. */
final class PassingEnd extends ChainEnd {
    PassingEnd(Plan plan) {
        super(plan);
    }

    @Override
    RunningChain start(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
        Composition composition = new Composition(plan.services());
        Chain branch = composition.branch;
        Merge merge = composition.merge;
        return switch (plan.role()) {
            case BRANCH -> branch.on(transport).with(loops).onFailure(onFailure).start();
            case MERGE -> merge.on(transport).with(loops).onFailure(onFailure).start();
            default -> startWindow(transport, loops, onFailure);
        };
    }

    private RunningChain startWindow(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
        int window = FaultSchedule.summing(plan.services());
        return ForwardingChain.of(
                        plan.chain(),
                        plan.services(),
                        number -> number == window
                                ? WindowResults.service(plan.intervalNanos())
                                : ForwardingChain.forwarding())
                .on(transport)
                .with(loops)
                .only(FaultSchedule.service(window))
                .snapshots(SnapshotPolicy.every(Duration.ofMillis(ChainProcesses.SNAPSHOT_MILLIS)))
                .onFailure(onFailure)
                .start();
    }
}
