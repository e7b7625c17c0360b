package dev.baton.lab.study.density;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What is asked, and how it is going to be found out: printed before the first trial. Stateless, thread-safe. */
final class DensityHead {
    private DensityHead() {}

    /** @param available where queues lie, and what limits the number of chains */
    static List<String> lines(
            Contenders contenders, List<Contenders.Entry> entries, AvailableResources available, int width) {
        List<String> lines = new ArrayList<>(Wrapped.lines("", title(contenders), width));
        lines.addAll(Wrapped.lines("trials: ", trials(contenders), width));
        for (Contenders.Entry each : entries) {
            String text = text(each, contenders.most(each, available));
            lines.addAll(Wrapped.lines(each.transport() + ": ", text, width));
        }
        if (entries.stream().anyMatch(entry -> entry.needs().isFiling())) {
            String where = available.queues() + (available.isQueueMemory() ? ", which is memory" : "");
            lines.addAll(Wrapped.lines("queues: ", "in " + where, width));
        }
        return lines;
    }

    private static String title(Contenders asked) {
        Shape shape = asked.load().shape(1);
        int services = shape.services();
        return String.format(
                "how many chains of %s %s at %s msg/s, payload %s, keep %s, each of them by itself",
                Units.count(services),
                services == 1 ? "service" : "services",
                Units.rate(asked.load().load().ratePerSecond()),
                Units.bytes(shape.payloadBytes()),
                asked.search().limits().stream().map(Limit::toString).collect(Collectors.joining(" and ")));
    }

    private static String trials(Contenders asked) {
        Phases exploratory = asked.exploratory();
        Phases deciding = asked.deciding();
        int processes = asked.search().processes();
        String jvms = processes == 1 ? "a fresh JVM each, " : processes + " fresh JVMs each, ";
        String text = jvms + Limit.time(exploratory.warmupNanos()) + " warm-up, "
                + Units.span(Duration.ofNanos(exploratory.measureNanos())) + " in an exploratory trial";
        if (deciding.measureNanos() > exploratory.measureNanos()) {
            text += ", " + Units.span(Duration.ofNanos(deciding.measureNanos())) + " in a deciding one";
        }
        return text + "; budget " + Units.typed(asked.search().budget());
    }

    private static String text(Contenders.Entry entry, int most) {
        LoopPlan loops = entry.loops();
        Map<String, String> options = new Subject(
                        entry.engine(), entry.transport(), entry.chosen().options())
                .redacted()
                .options();
        StringBuilder text = new StringBuilder("engine ").append(entry.engine());
        text.append(", ").append(loops.threading()).append(", idle ").append(loops.idle());
        if (loops.latencyBudgetNanos() > 0) {
            text.append(", latency budget ").append(Limit.time(loops.latencyBudgetNanos()));
        }
        if (!entry.way().name().isEmpty()) {
            text.append(", ").append(entry.way().name());
        }
        if (!options.isEmpty()) {
            text.append("; ")
                    .append(options.entrySet().stream()
                            .map(option -> option.getKey() + "=" + option.getValue())
                            .collect(Collectors.joining(" ")));
        }
        return text.append("; at most ")
                .append(Units.count(most))
                .append(" chains")
                .toString();
    }
}
