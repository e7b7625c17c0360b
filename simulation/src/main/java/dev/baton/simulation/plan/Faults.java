package dev.baton.simulation.plan;

import dev.baton.simulation.plan.Choices.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The faults that schedules may meet, and the known defects of core that they avoid. Immutable. */
public final class Faults {
    private final Set<Known> known;
    private final List<Fault> likely = new ArrayList<>();

    /** All faults except those that trigger known defects. */
    public Faults(Set<Known> known) {
        this.known = known;
        for (Fault fault : Fault.values()) {
            int weight = fault.isOfStorage()
                    ? 0
                    : fault == Fault.KILL ? 5 : fault == Fault.PAUSE || fault == Fault.SERVICE_THROWS ? 2 : 1;
            for (int i = 0; i < weight; i++) {
                likely.add(fault);
            }
        }
    }

    boolean stepsAround(Known defect) {
        return known.contains(defect);
    }

    /** Picks a fault of the storage that can happen in this setting. */
    public static Fault pickOfStorage(Choices choices, Setting setting) {
        Fault fault = Fault.values()[Fault.SYNC_FAILS.ordinal() + choices.next(Kind.STORAGE, 4)];
        boolean fits = fault == Fault.SYNC_FAILS ? setting.store == Setting.Store.LATE : setting.isExclusive;
        return fits ? fault : Fault.POSITION_FLIPPED;
    }

    /** Picks a fault that has an effect in this setting; null for none. */
    public Fault pick(Choices choices, Setting setting) {
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
