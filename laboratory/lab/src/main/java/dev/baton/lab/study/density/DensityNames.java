package dev.baton.lab.study.density;

import dev.baton.operations.settings.Subject;
import java.util.List;

/** Calls contenders by what they do not have in common. Immutable, thread-safe. */
final class DensityNames {
    private final boolean hasEngines;
    private final boolean hasThreadings;
    private final boolean hasJvms;

    DensityNames(List<Contender> contenders) {
        hasEngines = contenders.stream().anyMatch(each -> !each.name().engine().equals(Subject.BATON));
        hasJvms = contenders.stream().anyMatch(each -> !each.name().jvm().isEmpty());
        hasThreadings = contenders.stream()
                        .map(each -> each.name().transport()
                                + each.name().engine()
                                + each.name().jvm())
                        .distinct()
                        .count()
                < contenders.size();
    }

    /** As short as it can be among the others. */
    String of(Contender contender) {
        return contender.name().transport()
                + (hasEngines ? " " + contender.name().engine() : "")
                + (hasThreadings ? " " + contender.name().threading() : "")
                + (hasJvms ? " " + contender.name().jvm() : "");
    }

    /** With engine always, for a sentence that may be quoted alone. */
    String inFull(Contender contender) {
        return contender.name().transport() + ", " + contender.name().engine()
                + (hasThreadings ? ", " + contender.name().threading() : "")
                + (hasJvms ? ", " + contender.name().jvm() : "");
    }
}
