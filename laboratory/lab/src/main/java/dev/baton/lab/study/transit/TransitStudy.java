package dev.baton.lab.study.transit;

import dev.baton.lab.request.Study;
import dev.baton.operations.settings.Range;
import java.util.List;

/**
 * The question of the time that a message takes through one topic from one thread to another, and of the time of a bare hand-over of one
 * number. Immutable, thread-safe.
 *
 * @param floorNanos duration of the measurement of the bare hand-over, after the trial's own load; 0: none
 * @param cpus of the sending and the receiving thread; empty: the system's choice
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
