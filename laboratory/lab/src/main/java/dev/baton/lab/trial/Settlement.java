package dev.baton.lab.trial;

import dev.baton.lab.result.Delivery;
import dev.baton.lab.result.InstanceFigures;
import dev.baton.lab.result.Rate;
import java.util.List;

/**
 * What became of everything that was to be sent, after all threads have ended. Immutable.
 *
 * @param worstInstances some, worst first; empty where there is but one thing measured
 */
public record Settlement(Delivery delivery, Rate rate, List<InstanceFigures> worstInstances) {
    public Settlement {
        worstInstances = List.copyOf(worstInstances);
    }
}
