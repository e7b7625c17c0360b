package dev.baton.lab.study.density;

import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** What {@code baton density} prints in the end: the curves, the answers, what others published. Stateless, thread-safe. */
public final class DensityReport {
    private DensityReport() {}

    /**
     * What is asked, and how it is going to be found out: printed before the first trial.
     *
     * @param available where queues lie, and what limits the number of chains
     */
    static List<String> head(
            Contenders contenders, List<Contenders.Entry> entries, AvailableResources available, int width) {
        DensityLoadOptions asked = contenders.load();
        List<String> lines = new ArrayList<>(Wrapped.lines(
                "",
                "how many chains of "
                        + question(
                                asked.shape(1),
                                asked.load(),
                                contenders.search().limits()),
                width));
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

    private static String trials(Contenders asked) {
        Phases exploratory = asked.exploratory();
        Phases deciding = asked.deciding();
        int processes = asked.search().processes();
        String jvms = processes == 1
                ? "a fresh JVM each, "
                : processes == SearchOptions.PER_CHAIN
                        ? "a fresh JVM for each chain, "
                        : processes + " fresh JVMs each, ";
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

    /** All lines. @param price of a core for an hour; null for none */
    static List<String> lines(List<Contender> contenders, CorePrice price, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        Names names = Names.among(contenders);
        List<TrialResult> results = contenders.stream()
                .flatMap(each -> each.trials().stream())
                .map(Measured::result)
                .filter(Objects::nonNull)
                .toList();
        List<String> lines = new ArrayList<>();
        for (Contender each : contenders) {
            if (!each.trials().isEmpty()) {
                lines.add("");
                lines.add(paint.apply(Tone.BOLD, names.inFull(each)));
                lines.addAll(DensityCurve.of(each, width).lines(paint, width));
            }
        }
        lines.add("");
        remarks(lines, contenders, paint, width);
        primitives(contenders).forEach(remark -> lines.addAll(Wrapped.lines("", remark, width)));
        contenders.forEach(each -> lines.addAll(Wrapped.lines("", DensityAnswer.of(each, names.inFull(each)), width)));
        readings(contenders, names).forEach(reading -> lines.addAll(Wrapped.lines("", reading, width)));
        contenders.forEach(each -> lines.addAll(waited(each, names.inFull(each), width)));
        lines.add("");
        List<String> cost = DensityCost.lines(contenders, names::inFull, price, paint, width);
        lines.addAll(cost);
        if (!cost.isEmpty()) {
            lines.add("");
        }
        List<String> published = PublishedSeries.lines(
                contenders.stream().map(each -> each.name().transport()).toList(), paint, width);
        lines.addAll(published);
        if (!published.isEmpty()) {
            lines.add("");
        }
        if (!results.isEmpty()) {
            lines.addAll(Remarks.onMachine(results.get(0).environment(), folder, width));
            lines.add("files: " + folder);
        }
        return lines;
    }

    /** What was asked, what came of it and what it costs, to be kept beside the results. */
    static Headline headline(List<Contender> contenders, CorePrice price) {
        Names names = Names.among(contenders);
        String asked = contenders.stream()
                .flatMap(each -> each.trials().stream())
                .map(Measured::plan)
                .findFirst()
                .map(DensityReport::asked)
                .orElse("How many chains does this machine carry?");
        List<String> answers = new ArrayList<>();
        contenders.forEach(each -> answers.add(DensityAnswer.of(each, names.inFull(each))));
        answers.addAll(primitives(contenders));
        answers.addAll(readings(contenders, names));
        answers.addAll(DensityCost.sentences(contenders, names::inFull, price));
        return new Headline(Headline.SCHEMA, asked, answers, DensityCost.points(contenders, names::inFull, price));
    }

    private static String asked(TrialPlan plan) {
        return "How many chains of " + question(plan.shape(), plan.load(), plan.limits()) + ", on this machine?";
    }

    private static String question(Shape shape, Load load, List<Limit> limits) {
        int services = shape.services();
        return String.format(
                "%s%s %s at %s msg/s%s, payload %s%s, keep %s%s, each of them by itself",
                shape.chain() == null ? "" : shape.chain() + ", ",
                Units.count(services),
                services == 1 ? "service" : "services",
                Units.rate(load.ratePerSecond()),
                load.manner(),
                shape.chain() == null ? "" : "up to ",
                Units.bytes(shape.payloadBytes()),
                limits.stream().map(Limit::toString).collect(Collectors.joining(" and ")),
                load.isReadFromSend() ? " from the actual send" : "");
    }

    private static List<String> readings(List<Contender> contenders, Names names) {
        return contenders.stream()
                .map(each -> DensityAnswer.readings(each, names.inFull(each)))
                .filter(reading -> !reading.isEmpty())
                .toList();
    }

    private static List<String> primitives(List<Contender> contenders) {
        return Remarks.onPrimitives(contenders.stream()
                .map(each -> new Subject(each.name().engine(), each.name().transport(), Map.of()))
                .toList());
    }

    private static List<String> waited(Contender contender, String name, int width) {
        long disturbed =
                contender.trials().stream().filter(Measured::isSpoiltByHost).count();
        return disturbed == 0
                ? List.of()
                : Wrapped.lines(
                        "",
                        name + ": waited " + Units.span(contender.waited()) + " for a quiet host; " + disturbed
                                + (disturbed == 1 ? " trial was" : " trials were")
                                + " inconclusive and counted for nothing.",
                        width);
    }

    private static void remarks(List<String> lines, List<Contender> contenders, Paint paint, int width) {
        boolean isProvisional =
                contenders.stream().flatMap(each -> each.trials().stream()).anyMatch(Measured::isProvisional);
        if (isProvisional) {
            String shown = paint.isColoured() ? "Grey figures" : "Figures in parentheses";
            lines.addAll(Wrapped.lines(
                    "", shown + " rest on fewer than 100 messages above them: they show where to look.", width));
        }
    }

    /** Calls contenders by what they do not have in common. Immutable, thread-safe. */
    record Names(boolean hasEngines, boolean hasThreadings, boolean hasJvms) {
        static Names among(List<Contender> contenders) {
            return new Names(
                    contenders.stream().anyMatch(each -> !each.name().engine().equals(Subject.BATON)),
                    contenders.stream()
                                    .map(each -> each.name().transport()
                                            + each.name().engine()
                                            + each.name().jvm())
                                    .distinct()
                                    .count()
                            < contenders.size(),
                    contenders.stream().anyMatch(each -> !each.name().jvm().isEmpty()));
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
}
