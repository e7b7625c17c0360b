package dev.baton.lab.study.advice;

import dev.baton.lab.results.Headline;
import dev.baton.lab.study.density.CorePrice;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An {@link Advice} for a person. Stateless, thread-safe. */
final class AdviceReport {
    static final String HEADING = "  CPU/msg of limit  setting"; // of settings as they are measured

    private AdviceReport() {}

    /** Returns the lines of the report. @param price of a core for an hour; null without one @param folder of the files */
    static List<String> lines(Advice advice, CorePrice price, Path folder, Terminal terminal) {
        TextReport report = new TextReport(terminal).gap();
        if (advice.take() == null) {
            report.text(label(advice) + ": ", advice.why());
        } else {
            Advice.Recommendation take = advice.take();
            report.text("take:      ", take.setting()).text("costs:     ", costs(take.costs(), price));
            all(report, "gives up:  ", take.givesUp());
            all(report, "how sure:  ", take.sureness());
            report.text("JVM:       ", String.join(" ", take.jvmFlags())).gap();
            take.code().lines().forEach(line -> report.line(("    " + line).stripTrailing()));
            report.gap().line("arguments: " + folder.resolve(Advice.ARGUMENTS));
        }
        return report.line("files:     " + folder).lines();
    }

    static String label(Advice advice) {
        return advice.end().equals("none") ? "nothing to take" : advice.end();
    }

    private static void all(TextReport report, String label, List<String> sentences) {
        String start = label;
        for (String each : sentences) {
            report.text(start, each);
            start = " ".repeat(label.length());
        }
    }

    /**
     * Describes costs.
     *
     * @param price of a core for an hour; null without one
     */
    static String costs(Advice.Costs costs, CorePrice price) {
        String cores = Units.counted(costs.wholeCores(), "core");
        return Units.time(Math.round(costs.cpuNanosPerMessage())) + " of CPU per message, "
                + Units.percent(costs.cores()) + " of a core; needs " + cores
                + (costs.memoryBytes() == null ? "" : " and " + Units.bytes(costs.memoryBytes()) + " of memory")
                + (price == null
                        ? ""
                        : "; at " + price + " for a core and hour " + price.text(costs.pricePerMillion())
                                + " per million messages and " + price.text(costs.pricePerMonth())
                                + " per month for the CPU time, " + price.text(costs.wholeCoresPerMonth())
                                + " per month for " + cores);
    }

    /** Describes a measured setting: its cost, the used part of the limit, its name, and why it failed. */
    static List<String> lines(Tried tried, int width) {
        Advice.Row row = Advice.Row.of(tried);
        String share = row.limitShare() == null ? "-" : Units.percent(row.limitShare());
        String label = String.format(
                Locale.ROOT,
                "%9s  %8s ",
                row.cpuNanosPerMessage() == null ? "-" : Units.time(Math.round(row.cpuNanosPerMessage())),
                row.isProvisional() ? "(" + share + ")" : share + " ");
        String verdict = row.verdict()
                + (row.isHopeless() ? ", far over the limit" : "")
                + (row.isProvisional() ? ", provisional" : "");
        return Wrapped.lines(
                label,
                (tried.isDeciding() ? "deciding: " : "") + row.setting() + ": " + verdict
                        + (row.reason().isEmpty() ? "" : ", " + row.reason()),
                width);
    }

    /** Returns the question and the answer, stored with the results. */
    static Headline headline(Advice advice, CorePrice price) {
        List<String> answers = new ArrayList<>();
        if (advice.take() == null) {
            answers.add(label(advice) + ": " + advice.why() + ".");
        } else {
            answers.add("Take " + advice.take().setting() + ": "
                    + costs(advice.take().costs(), price) + ".");
            advice.take().givesUp().forEach(each -> answers.add("Gives up: " + each + "."));
            advice.take().sureness().forEach(each -> answers.add("How sure: " + each + "."));
        }
        advice.ruledOut().forEach(each -> answers.add("Ruled out: " + each + "."));
        return new Headline(advice.asked(), answers);
    }
}
