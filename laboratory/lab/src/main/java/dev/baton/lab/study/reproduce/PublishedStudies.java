package dev.baton.lab.study.reproduce;

import dev.baton.operations.line.CommandException;
import dev.baton.operations.terminal.Paint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The registry of published studies, in the order in which they are listed. Stateless, thread-safe. */
final class PublishedStudies {
    /** Each study's table: its figures beside ours of the steps that were run, in their order. */
    private static final Map<String, Function<List<Reproduced>, Rows>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("cloud-cost", CloudCost::figures);
        ALL.put("which-jvm", SimpleTables::whichJvm);
        ALL.put("jitter", SimpleTables::jitter);
        ALL.put("gc-rematch", steps -> SimpleTables.windows(steps, SimpleTables.REMATCH));
        ALL.put("green-threads", steps -> SimpleTables.windows(steps, SimpleTables.GREEN_THREADS));
        ALL.put("small-memory", SimpleTables::smallMemory);
    }

    private PublishedStudies() {}

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
        return ALL.get(study.name()).apply(steps).lines(study.source(), paint, width);
    }
}
