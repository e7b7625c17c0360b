package dev.baton.lab.trial;

import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Rate;
import java.util.List;

/**
 * The fate of everything that was to be sent, after all threads have ended. Immutable.
 *
 * @param worstInstances some, worst first; empty for a single subject
 */
public record FinalCounts(Delivery delivery, Rate rate, List<InstanceFigures> worstInstances) {
    public FinalCounts {
        worstInstances = List.copyOf(worstInstances);
    }
}
