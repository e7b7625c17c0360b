package dev.baton.simulation.plan;

import dev.baton.simulation.plan.Choices.Kind;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Picks the faults of schedules. Stateless. */
public final class Faults {
    private static final List<Fault> LIKELY = Arrays.stream(Fault.values())
            .filter(fault -> !fault.isOfStorage())
            .flatMap(fault -> Collections.nCopies(weight(fault), fault).stream())
            .toList();

    private Faults() {}

    private static int weight(Fault fault) {
        return fault == Fault.KILL ? 5 : fault == Fault.PAUSE || fault == Fault.SERVICE_THROWS ? 2 : 1;
    }

    /** Picks a fault of the storage that can happen in this setting. */
    public static Fault pickOfStorage(Choices choices, Setting setting) {
        Fault fault = Fault.values()[Fault.SYNC_FAILS.ordinal() + choices.next(Kind.STORAGE, 4)];
        boolean fits = fault == Fault.SYNC_FAILS ? setting.store == Setting.Store.LATE : setting.isExclusive;
        return fits ? fault : Fault.POSITION_FLIPPED;
    }

    /** Picks a fault that has an effect in this setting; null for none. */
    public static Fault pick(Choices choices, Setting setting) {
        Fault fault = LIKELY.get(choices.next(Kind.PLAN, LIKELY.size()));
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
