package dev.baton.lab.reporting;

import dev.baton.lab.doctor.Diagnosis;
import dev.baton.lab.doctor.Finding;
import dev.baton.lab.doctor.GradeLetter;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Wrapped;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The output of {@code baton doctor}: the findings that lower the grade, worst first, then all others. Stateless. */
public final class DoctorReport {
    private static final String INDENT = "   ";

    /** Part of a remedy that is a command of a shell. */
    private static final Pattern COMMAND = Pattern.compile("^ps | [|] |\\bsudo |[>]|^echo ");

    /** A JVM that was found. @param collectors that it starts with; empty when it was not asked for them */
    public record ReportedJvm(String home, String version, String vendor, String name, List<String> collectors) {}

    private DoctorReport() {}

    /** Returns the lines about a machine, about the JVMs on it, and about measuring in these. */
    public static List<String> lines(
            Diagnosis diagnosis, TrialEnvironment machine, List<ReportedJvm> jvms, Terminal terminal) {
        TextReport report = new TextReport(terminal);
        GradeLetter letter = diagnosis.letter();
        String title = "machine grade " + letter + ": ";
        List<String> head = Wrapped.lines(title, letter.meaning(), report.width());
        String grade = report.paint().apply(tone(letter), title.stripTrailing());
        report.line(grade + head.get(0).substring(title.length() - 1)).lines(head.subList(1, head.size()));
        diagnosis.findings().stream().filter(Finding::isFault).forEach(each -> fault(report.gap(), each));
        report.gap();
        block(report, "fine: ", diagnosis.findings(), each -> each.letter() == GradeLetter.A);
        block(report, "not visible here: ", diagnosis.findings(), each -> each.letter() == null);
        report.text("machine: ", Remarks.onMachine(machine)).gap();
        for (ReportedJvm jvm : jvms) {
            report.line(Tone.BOLD, jvm.home()).text("  ", jvm.version() + ", " + jvm.vendor() + ", " + jvm.name());
            if (!jvm.collectors().isEmpty()) {
                report.text("  collectors: ", String.join(", ", jvm.collectors()));
            }
        }
        return report.gap()
                .text("Measure in several of them with --jvm PATH,PATH or --jvm found, and with --gc NAME,NAME.")
                .lines();
    }

    private static void fault(TextReport report, Finding finding) {
        Paint paint = report.paint();
        List<String> found = Wrapped.lines(INDENT, finding.subject() + ": " + finding.found(), report.width());
        report.line(paint.apply(tone(finding.letter()), finding.letter().name()) + "  "
                        + paint.apply(Tone.BOLD, finding.subject())
                        + found.get(0)
                                .substring(INDENT.length() + finding.subject().length()))
                .lines(found.subList(1, found.size()))
                .text(INDENT + "why: ", finding.why());
        String label = INDENT + "do:  ";
        if (COMMAND.matcher(finding.remedy()).find()) {
            report.line(label + finding.remedy()); // not broken: it is to be copied
        } else {
            report.text(label, finding.remedy());
        }
    }

    private static void block(TextReport report, String label, List<Finding> all, Predicate<Finding> chosen) {
        String text = all.stream()
                .filter(chosen)
                .map(each -> each.subject() + " (" + each.found() + ")")
                .collect(Collectors.joining("; "));
        if (!text.isEmpty()) {
            report.text(label, text);
        }
    }

    private static Tone tone(GradeLetter letter) {
        return switch (letter) {
            case A, B -> Tone.GOOD;
            case C, D -> Tone.WARNING;
            case E, F -> Tone.BAD;
        };
    }
}
