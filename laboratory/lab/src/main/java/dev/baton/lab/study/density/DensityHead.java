package dev.baton.lab.study.density;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What is asked, and how it is going to be found out: printed before the first trial. Stateless, thread-safe. */
public final class DensityHead {
    private DensityHead() {}

    /** What all contenders have in common. */
    public record Question(
            List<Limit> limits,
            Shape shape,
            Load load,
            Phases exploratory,
            Phases deciding,
            int processes,
            Duration budget) {}

    /** One contender and how many instances are tried at most. */
    public record Line(
            String transport, String engine, LoopPlan loops, String jvm, Map<String, String> options, int most) {}

    /** @param available where queues lie; null when nothing is written */
    public static List<String> lines(
            Question question, List<Line> contenders, AvailableResources available, int width) {
        List<String> lines = new ArrayList<>(Wrapped.lines("", title(question), width));
        lines.addAll(Wrapped.lines("trials: ", trials(question), width));
        for (Line each : contenders) {
            lines.addAll(Wrapped.lines(each.transport() + ": ", text(each), width));
        }
        if (available != null) {
            String where = available.queues() + (available.isQueueMemory() ? ", which is memory" : "");
            lines.addAll(Wrapped.lines("queues: ", "in " + where, width));
        }
        return lines;
    }

    private static String title(Question question) {
        int services = question.shape().services();
        return String.format(
                "how many chains of %s %s at %s msg/s, payload %s, keep %s, each of them by itself",
                Units.count(services),
                services == 1 ? "service" : "services",
                Units.rate(question.load().ratePerSecond()),
                Units.bytes(question.shape().payloadBytes()),
                question.limits().stream().map(Limit::toString).collect(Collectors.joining(" and ")));
    }

    private static String trials(Question question) {
        Phases exploratory = question.exploratory();
        Phases deciding = question.deciding();
        String jvms = question.processes() == 1 ? "a fresh JVM each, " : question.processes() + " fresh JVMs each, ";
        String text = jvms + Limit.time(exploratory.warmupNanos()) + " warm-up, "
                + Units.span(Duration.ofNanos(exploratory.measureNanos())) + " in an exploratory trial";
        if (deciding.measureNanos() > exploratory.measureNanos()) {
            text += ", " + Units.span(Duration.ofNanos(deciding.measureNanos())) + " in a deciding one";
        }
        return text + "; budget " + Units.typed(question.budget());
    }

    private static String text(Line line) {
        LoopPlan loops = line.loops();
        StringBuilder text = new StringBuilder("engine ").append(line.engine());
        text.append(", ").append(loops.threading()).append(", idle ").append(loops.idle());
        if (loops.latencyBudgetNanos() > 0) {
            text.append(", latency budget ").append(Limit.time(loops.latencyBudgetNanos()));
        }
        if (!line.jvm().isEmpty()) {
            text.append(", ").append(line.jvm());
        }
        if (!line.options().isEmpty()) {
            text.append("; ")
                    .append(line.options().entrySet().stream()
                            .map(option -> option.getKey() + "=" + option.getValue())
                            .collect(Collectors.joining(" ")));
        }
        return text.append("; at most ")
                .append(Units.count(line.most()))
                .append(" chains")
                .toString();
    }
}
