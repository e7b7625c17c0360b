package dev.baton.lab.study.selftest;

import dev.baton.lab.request.Study;
import dev.baton.operations.settings.Range;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Asks whether the laboratory reports what is done to it on purpose: chains over a transport that was made for it.
 * Immutable, thread-safe.
 *
 * @param faults of the transport; the delays of an instance in the order of their moments
 * @param stopNanos how long the whole process is stopped during the measurement, from outside; 0 for not at all
 */
public record SelftestStudy(List<PlantedFault> faults, long stopNanos) implements Study {
    /** The name of the transport; no provider has that name. */
    public static final String TRANSPORT = "selftest";

    public SelftestStudy {
        faults = faults == null ? List.of() : List.copyOf(faults);
        Range.check("stop, in ns,", stopNanos, 0, 10_000_000_000L);
    }

    /** Faults of the transport alone. */
    public static SelftestStudy of(PlantedFault... faults) {
        return new SelftestStudy(List.of(faults), 0);
    }

    public List<PlantedFault> of(int instance, PlantedFault.Kind kind) {
        return faults.stream()
                .filter(fault -> fault.instance() == instance && fault.kind() == kind)
                .toList();
    }

    /** The part of every CPU's time that the host is said to have withheld; empty where nothing is said. */
    OptionalDouble stolenShare() {
        return share(PlantedFault.Kind.STEAL);
    }

    /** The part of the CPU time asked for that other processes are said to have taken; empty where nothing is said. */
    OptionalDouble takenShare() {
        return share(PlantedFault.Kind.CROWD);
    }

    private OptionalDouble share(PlantedFault.Kind kind) {
        return faults.stream()
                .filter(fault -> fault.kind() == kind)
                .mapToDouble(fault -> fault.nanos() / 1e9)
                .max();
    }

    @Override
    public boolean isKnownById() {
        return true;
    }
}
