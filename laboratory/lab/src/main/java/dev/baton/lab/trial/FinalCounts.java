package dev.baton.lab.trial;

import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Rate;
import java.util.List;

/**
 * What became of everything that was to be sent, after all threads have ended. Immutable.
 *
 * @param worstInstances some, worst first; empty where there is but one thing measured
 */
public record FinalCounts(Delivery delivery, Rate rate, List<InstanceFigures> worstInstances) {
    public FinalCounts {
        worstInstances = List.copyOf(worstInstances);
    }
}
