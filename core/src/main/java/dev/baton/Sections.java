package dev.baton;

import dev.baton.run.Loop;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;

/** Divides the parts of a chain into sections, each as long as parts follow one another on one loop. Stateless. */
final class Sections {
    private Sections() {}

    /**
     * The sections of a chain's parts.
     *
     * @param source null for none
     * @param sourceLoop that the source runs on
     * @param services in chain order
     */
    static List<Section> of(
            Transport transport, ChainState state, SourcePart source, Loop sourceLoop, List<ServicePart> services) {
        int sweeps =
                transport.guarantees().contains(Guarantee.IMMEDIATE) ? 1 : services.size() + (source == null ? 0 : 1);
        List<Section> found = new ArrayList<>();
        List<Part> together = new ArrayList<>();
        Loop loop = sourceLoop;
        int nextHop = 0;
        if (source != null) {
            together.add(source);
        }
        for (ServicePart service : services) {
            ServicePlan plan = service.plan();
            if (!together.isEmpty() && (plan.loop() != loop || plan.hop() != nextHop)) {
                found.add(new Section(transport, state, loop, together, sweeps));
                together.clear();
            }
            together.add(service);
            loop = plan.loop();
            nextHop = plan.hop() + 1;
        }
        if (!together.isEmpty()) {
            found.add(new Section(transport, state, loop, together, sweeps));
        }
        return found;
    }
}
