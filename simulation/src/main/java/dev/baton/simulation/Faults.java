package dev.baton.simulation;

import dev.baton.simulation.Choices.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Which faults schedules may meet. Immutable. */
final class Faults {
    private final List<Fault> likely = new ArrayList<>();

    private Faults(Set<Fault> allowed) {
        for (Fault fault : Fault.values()) {
            if (allowed.contains(fault)) {
                int weight = fault == Fault.KILL ? 5 : fault == Fault.PAUSE || fault == Fault.SERVICE_THROWS ? 2 : 1;
                for (int i = 0; i < weight; i++) {
                    likely.add(fault);
                }
            }
        }
    }

    static Faults all() {
        return new Faults(EnumSet.allOf(Fault.class));
    }

    static Faults without(Set<Fault> switchedOff) {
        EnumSet<Fault> allowed = EnumSet.allOf(Fault.class);
        allowed.removeAll(switchedOff);
        return new Faults(allowed);
    }

    /** One that means something in this setting; null otherwise. */
    Fault pick(Choices choices, Setting setting) {
        Fault fault = likely.get(choices.next(Kind.PLAN, likely.size()));
        boolean fits =
                switch (fault) {
                    case OPEN_IS_SLOW -> setting.hasSlowOpens;
                    case SOURCE_THROWS -> setting.entrance == Setting.Entrance.SOURCE;
                    case SERVICE_THROWS -> !setting.steps.isEmpty();
                    case MACHINE_CRASH -> setting.store == Setting.Store.LATE;
                    default -> true;
                };
        return fits ? fault : null;
    }
}
