package dev.baton.lab.study.transit;

import dev.baton.lab.request.Study;
import dev.baton.operations.settings.Range;
import java.util.List;

/**
 * How long a message takes through one topic from one thread to another, and how long a bare hand-over of one number
 * takes there. Immutable, thread-safe.
 *
 * @param floorNanos how long the bare hand-over is measured, after the trial's own load; 0: not at all
 * @param cpus that the sending and the receiving thread are bound to; empty: the system's choice
 */
public record TransitStudy(long floorNanos, List<Integer> cpus) implements Study {
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    public TransitStudy {
        Range.check("floor, in ns,", floorNanos, 0, LONGEST_NANOS);
        cpus = cpus == null ? List.of() : List.copyOf(cpus);
        if (!cpus.isEmpty() && cpus.size() != 2) {
            throw new IllegalArgumentException(cpus.size() + " CPUs; none, or one for each of two threads");
        }
        cpus.forEach(cpu -> Range.check("CPU", cpu, 0, Integer.MAX_VALUE));
    }
}
