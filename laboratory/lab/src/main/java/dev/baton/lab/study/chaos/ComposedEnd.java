package dev.baton.lab.study.chaos;

import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.function.Consumer;

/** The process of the branch, or of the merge, of a composed chain. Threads as its parent. */
final class ComposedEnd extends ChainEnd {
    /** Part of the line that says that it is ready. */
    static final String READY = "passes messages on";

    private final Composition composition;
    private boolean hasBegun;

    ComposedEnd(Plan plan) {
        super(plan);
        composition = new Composition(plan.services());
    }

    @Override
    RunningChain start(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
        hasBegun = false;
        return plan().role() == Role.BRANCH
                ? composition
                        .branch()
                        .on(transport)
                        .with(loops)
                        .onFailure(onFailure)
                        .start()
                : composition
                        .merge()
                        .on(transport)
                        .with(loops)
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
