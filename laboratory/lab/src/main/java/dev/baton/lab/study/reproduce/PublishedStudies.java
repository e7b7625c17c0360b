package dev.baton.lab.study.reproduce;

import dev.baton.operations.line.CommandException;
import dev.baton.operations.terminal.Paint;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The registry of published studies, in the order in which they are listed. Stateless, thread-safe. */
final class PublishedStudies {
    private static final Map<String, Figures> ALL = registry();

    /** A study's figures beside ours. Stateless, thread-safe. */
    interface Figures {
        /** The table. @param steps that were run, in their order; without those that were not */
        Rows rows(List<Reproduced> steps);
    }

    private PublishedStudies() {}

    private static Map<String, Figures> registry() {
        Map<String, Figures> all = new LinkedHashMap<>();
        all.put("cloud-cost", CloudCost::figures);
        all.put("which-jvm", SimpleTables::whichJvm);
        all.put("jitter", SimpleTables::jitter);
        all.put("gc-rematch", steps -> Windows.figures(steps, Windows.REMATCH));
        all.put("green-threads", steps -> Windows.figures(steps, Windows.GREEN_THREADS));
        all.put("small-memory", SimpleTables::smallMemory);
        return Collections.unmodifiableMap(all);
    }

    static List<PublishedStudy> all() {
        return ALL.keySet().stream().map(PublishedStudy::read).toList();
    }

    /** @throws CommandException that lists the others, when there is none of that name */
    static PublishedStudy named(String name) {
        if (!ALL.containsKey(name)) {
            throw CommandException.usage("unknown study '" + name + "'; known: " + String.join(", ", ALL.keySet()));
        }
        return PublishedStudy.read(name);
    }

    static List<String> figures(PublishedStudy study, List<Reproduced> steps, Paint paint, int width) {
        return ALL.get(study.name()).rows(steps).lines(study.source(), paint, width);
    }
}
