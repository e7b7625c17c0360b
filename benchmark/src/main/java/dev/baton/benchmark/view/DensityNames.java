package dev.baton.benchmark.view;

import dev.baton.benchmark.density.Contender;
import java.util.List;
import java.util.function.Function;

/** Calls contenders by what they do not have in common. Immutable, thread-safe. */
final class DensityNames {
    private final boolean hasEngines;
    private final boolean hasThreadings;

    DensityNames(List<Contender> contenders) {
        hasEngines = count(contenders, Contender.Name::engine) > 1;
        hasThreadings = count(contenders, Contender.Name::threading) > 1;
    }

    private static long count(List<Contender> contenders, Function<Contender.Name, String> part) {
        return contenders.stream()
                .map(each -> part.apply(each.name()))
                .distinct()
                .count();
    }

    /** As short as it can be among the others. */
    String of(Contender contender) {
        return contender.name().transport()
                + (hasEngines ? " " + contender.name().engine() : "")
                + (hasThreadings ? " " + contender.name().threading() : "");
    }

    /** With engine always, for a sentence that may be quoted alone. */
    String inFull(Contender contender) {
        return contender.name().transport() + ", " + contender.name().engine()
                + (hasThreadings ? ", " + contender.name().threading() : "");
    }
}
