package dev.baton.lab.study.density;

import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Secrets;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The final output of {@code baton density}: the curves, the answers, and published figures. Stateless, thread-safe. */
public final class DensityReport {
    private DensityReport() {}

    /**
     * Returns the question and the method of the search, printed before the first trial.
     *
     * @param available place of the queues, and the limits of the number of chains
     */
    static List<String> head(
            Contenders contenders, List<Contenders.Entry> entries, AvailableResources available, Terminal terminal) {
        DensityLoadOptions asked = contenders.load();
        List<Limit> limits = contenders.search().limits();
        TextReport report = new TextReport(terminal)
                .text("how many chains of " + question(asked.shape(1), asked.load(), limits))
                .text("trials: ", trials(contenders));
        entries.forEach(each -> report.text(each.transport() + ": ", text(each, contenders.most(each, available))));
        if (entries.stream().anyMatch(entry -> entry.needs().isFiling())) {
            report.text(
                    "queues: ", "in " + available.queues() + (available.isQueueMemory() ? ", which is memory" : ""));
        }
        return report.lines();
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
        String typed = Secrets.redacted(entry.chosen().options()).entrySet().stream()
                .map(Object::toString)
                .collect(Collectors.joining(" "));
        return "engine " + entry.engine() + ", " + loops.threading() + ", idle " + loops.idle()
                + (loops.latencyBudgetNanos() > 0 ? ", latency budget " + Limit.time(loops.latencyBudgetNanos()) : "")
                + (entry.way().name().isEmpty() ? "" : ", " + entry.way().name())
                + (typed.isEmpty() ? "" : "; " + typed)
                + "; at most " + Units.count(most) + " chains";
    }

    /** Returns all lines. @param price of a core for an hour; null for none */
    static List<String> lines(List<Contender> contenders, CorePrice price, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        TextReport report = new TextReport(terminal);
        Names names = Names.among(contenders);
        for (Contender each : contenders) {
            if (!each.trials().isEmpty()) {
                report.gap().line(Tone.BOLD, names.inFull(each)).table(DensityCells.curve(each, width));
            }
        }
        report.gap();
        if (contenders.stream().flatMap(each -> each.trials().stream()).anyMatch(Measured::isProvisional)) {
            report.text((paint.isColoured() ? "Grey figures, and verdicts that are grey or" : "Figures and verdicts")
                    + " in parentheses have fewer than 100 messages above a percentile: they are provisional and do not"
                    + " affect the answer.");
        }
        contenders.forEach(each -> report.text(DensityAnswer.of(each, names.inFull(each))));
        report.texts(readings(contenders, names));
        contenders.forEach(each -> addWaited(report, each, names.inFull(each)));
        List<TrialResult> results = contenders.stream()
                .flatMap(each -> each.trials().stream())
                .map(Measured::result)
                .filter(Objects::nonNull)
                .toList();
        report.texts(Remarks.onLateSends(results)).texts(Remarks.onOtherProcessesById(results));
        report.gap();
        addBlock(report, DensityCost.lines(contenders, names::inFull, price, paint, width));
        List<String> transports =
                contenders.stream().map(each -> each.name().transport()).toList();
        addBlock(report, PublishedSeries.lines(transports, paint, width));
        results.stream()
                .findFirst()
                .ifPresent(any -> report.lines(Remarks.onMachine(any.environment(), folder, width))
                        .line("files: " + folder));
        return report.lines();
    }

    private static void addBlock(TextReport report, List<String> lines) {
        if (!lines.isEmpty()) {
            report.lines(lines).gap();
        }
    }

    /** Returns the question, the answer and the costs, stored with the results. */
    static Headline headline(List<Contender> contenders, CorePrice price) {
        Names names = Names.among(contenders);
        String asked = contenders.stream()
                .flatMap(each -> each.trials().stream())
                .map(Measured::plan)
                .findFirst()
                .map(plan -> "How many chains of " + question(plan.shape(), plan.load(), plan.limits())
                        + ", on this machine?")
                .orElse("How many chains does this machine carry?");
        List<String> answers = new ArrayList<>();
        contenders.forEach(each -> answers.add(DensityAnswer.of(each, names.inFull(each))));
        answers.addAll(readings(contenders, names));
        answers.addAll(DensityCost.sentences(contenders, names::inFull, price));
        return new Headline(Headline.SCHEMA, asked, answers, DensityCost.points(contenders, names::inFull, price));
    }

    private static String question(Shape shape, Load load, List<Limit> limits) {
        boolean isForwarding = shape.chain() == null;
        return (isForwarding ? "" : shape.chain() + ", ") + Units.counted(shape.services(), "service")
                + shape.workText() + " at " + Units.rate(load.ratePerSecond()) + " msg/s" + load.manner()
                + ", payload " + Remarks.onPayload(shape)
                + ", keep " + limits.stream().map(Limit::toString).collect(Collectors.joining(" and "))
                + (load.isReadFromSend() ? " from the actual send" : "") + ", each of them";
    }

    private static List<String> readings(List<Contender> contenders, Names names) {
        return contenders.stream()
                .map(each -> DensityAnswer.readings(each, names.inFull(each)))
                .filter(reading -> !reading.isEmpty())
                .toList();
    }

    private static void addWaited(TextReport report, Contender contender, String name) {
        long disturbed =
                contender.trials().stream().filter(Measured::isSpoiltByHost).count();
        if (disturbed > 0) {
            report.text(name + ": waited " + Units.span(contender.waited()) + " for a quiet host; " + disturbed
                    + (disturbed == 1 ? " trial was" : " trials were")
                    + " inconclusive and ignored.");
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

        /** Returns the shortest name that is distinct among the others. */
        String of(Contender contender) {
            return contender.name().transport()
                    + (hasEngines ? " " + contender.name().engine() : "")
                    + (hasThreadings ? " " + contender.name().threading() : "")
                    + (hasJvms ? " " + contender.name().jvm() : "");
        }

        /** Returns the name with its engine, for a sentence that may be quoted alone. */
        String inFull(Contender contender) {
            return contender.name().transport() + ", " + contender.name().engine()
                    + (hasThreadings ? ", " + contender.name().threading() : "")
                    + (hasJvms ? ", " + contender.name().jvm() : "");
        }
    }
}
