package dev.baton.lab.study.density;

import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What {@code baton density} prints in the end: the curves, the answers, what others published. Stateless, thread-safe. */
public final class DensityReport {
    private DensityReport() {}

    /** All lines. */
    public static List<String> lines(List<Contender> contenders, Path folder, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        DensityNames names = new DensityNames(contenders);
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
        contenders.forEach(each -> lines.addAll(Wrapped.lines("", DensityAnswer.of(each, names.inFull(each)), width)));
        contenders.forEach(each -> lines.addAll(waited(each, names.inFull(each), width)));
        lines.add("");
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

    /** What was asked and what came of it, to be kept beside the results. */
    public static Headline headline(List<Contender> contenders) {
        DensityNames names = new DensityNames(contenders);
        String asked = contenders.stream()
                .flatMap(each -> each.trials().stream())
                .map(Measured::plan)
                .findFirst()
                .map(DensityReport::asked)
                .orElse("How many chains does this machine carry?");
        return new Headline(
                asked,
                contenders.stream()
                        .map(each -> DensityAnswer.of(each, names.inFull(each)))
                        .toList());
    }

    private static String asked(TrialPlan plan) {
        return "How many chains of " + Units.count(plan.shape().services()) + " services, each at "
                + Units.rate(plan.load().ratePerSecond()) + " msg/s, keep "
                + plan.limits().stream().map(Limit::toString).collect(Collectors.joining(" and "))
                + " on this machine?; every single chain keeps it on its own histogram";
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
}
