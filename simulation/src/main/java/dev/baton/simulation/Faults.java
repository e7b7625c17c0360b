package dev.baton.simulation;

import dev.baton.simulation.Choices.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Which faults schedules may meet, and which defects of core they step around. Immutable. */
final class Faults {
    private final Set<Known> known;
    private final List<Fault> likely = new ArrayList<>();

    /** All faults but those that trigger defects that are known. */
    Faults(Set<Known> known) {
        this.known = known;
        for (Fault fault : Fault.values()) {
            int weight = fault == Fault.KILL ? 5 : fault == Fault.PAUSE || fault == Fault.SERVICE_THROWS ? 2 : 1;
            for (int i = 0; i < weight; i++) {
                likely.add(fault);
            }
        }
    }

    boolean stepsAround(Known defect) {
        return known.contains(defect);
    }

    /** One that means something in this setting; null otherwise. */
    Fault pick(Choices choices, Setting setting) {
        Fault fault = likely.get(choices.next(Kind.PLAN, likely.size()));
        boolean fits = switch (fault) {
            case OPEN_IS_SLOW -> setting.hasSlowOpens;
            case SOURCE_THROWS -> setting.entrance == Setting.Entrance.SOURCE;
            case SERVICE_THROWS -> !setting.steps.isEmpty();
            case SNAPSHOT_DAMAGED -> setting.keepsState();
            case MACHINE_CRASH -> setting.store == Setting.Store.LATE;
            default -> true;
        };
        return fits ? fault : null;
    }
}
