package dev.baton.lab.study.reproduce;

import dev.baton.operations.line.CommandException;
import java.util.List;
import java.util.stream.Collectors;

/** The registry of published studies, in the order in which they are listed. Stateless, thread-safe. */
final class PublishedStudies {
    private PublishedStudies() {}

    static List<PublishedStudy> all() {
        return List.of(
                new CloudCost(),
                new WhichJvm(),
                new RuntimeJitter(),
                new GcRematch(),
                new GreenThreads(),
                new SmallMemory());
    }

    /** @throws CommandException that lists the others, when there is none of that name */
    static PublishedStudy named(String name) {
        return all().stream()
                .filter(study -> study.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CommandException.usage("unknown study '" + name + "'; known: "
                        + all().stream().map(PublishedStudy::name).collect(Collectors.joining(", "))));
    }
}
