package dev.baton.engine;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.cycle.PendingPart;
import dev.baton.engine.inlet.SourcePart;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.loop.LoopPool;
import dev.baton.engine.plan.PartPlan;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;

/**
 * Places the parts of a chain on loops, and divides them into sections: parts that follow one another on one loop.
 * Stateless.
 */
final class Sections {
    /** Creates the part with an index. */
    @FunctionalInterface
    interface PartMaker {
        /**
         * Returns the part of an index.
         *
         * @param next loop that the part has to wake; null if it is the same loop or in another process
         */
        PendingService make(int index, Loop loop, Loop next);
    }

    private Sections() {}

    /**
     * Returns the parts in chain order, each on its loop. On failure their loops are released.
     *
     * @param here indices of the parts that run in this process, in order
     */
    static List<PendingService> placed(LoopPool loops, List<Integer> here, PartMaker maker) {
        List<Loop> taken = new ArrayList<>();
        try {
            List<PendingService> placed = new ArrayList<>();
            Loop shared = loops.splitsChains() ? null : loops.nextLoop();
            Loop next = null;
            int behind = -1;
            for (int i = here.size() - 1; i >= 0; i--) { // from the last one, as each part needs the loop that it wakes
                int index = here.get(i);
                Loop loop = shared != null ? shared : loops.nextLoop();
                taken.add(loop);
                boolean wakes = index + 1 == behind && next != loop;
                placed.add(0, maker.make(index, loop, wakes ? next : null));
                next = loop;
                behind = index;
            }
            return placed;
        } catch (Throwable failure) {
            loops.retire(taken, ChainState.releaseDeadline(loops.environment()));
            throw failure;
        }
    }

    /**
     * Returns the sections of a chain's parts.
     *
     * @param source source; null for none
     * @param sourceLoop loop of the source
     * @param services parts of the services, in chain order
     */
    static List<Section> of(
            Transport transport,
            ChainState state,
            SourcePart.Pending source,
            Loop sourceLoop,
            List<PendingService> services) {
        int sweeps =
                transport.guarantees().contains(Guarantee.IMMEDIATE) ? 1 : services.size() + (source == null ? 0 : 1);
        List<Section> found = new ArrayList<>();
        List<PendingPart> together = new ArrayList<>();
        Loop loop = sourceLoop;
        int nextHop = 0;
        if (source != null) {
            together.add(source);
        }
        for (PendingService service : services) {
            PartPlan plan = service.plan();
            if (!together.isEmpty() && (plan.loop() != loop || plan.place().hop() != nextHop)) {
                found.add(new Section(transport, state, loop, together, sweeps));
                together.clear();
            }
            together.add(service);
            loop = plan.loop();
            nextHop = plan.place().hop() + 1;
        }
        if (!together.isEmpty()) {
            found.add(new Section(transport, state, loop, together, sweeps));
        }
        return found;
    }
}
