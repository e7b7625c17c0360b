package dev.baton.lab.reporting;

import dev.baton.lab.doctor.Diagnosis;
import dev.baton.lab.doctor.Finding;
import dev.baton.lab.doctor.GradeLetter;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What {@code baton doctor} prints of a machine: what lowers its grade, worst first, then all the rest. Stateless. */
public final class DoctorReport {
    private static final String INDENT = "   ";

    /** A JVM that was found. @param collectors that it starts with; empty when it was not asked for them */
    public record ReportedJvm(String home, String version, String vendor, String name, List<String> collectors) {}

    private DoctorReport() {}

    public static List<String> lines(Diagnosis diagnosis, Terminal terminal) {
        Paint paint = terminal.paint();
        int width = terminal.columns();
        GradeLetter letter = diagnosis.letter();
        List<String> lines = new ArrayList<>();
        String title = "machine grade " + letter + ": ";
        List<String> head = Wrapped.lines(title, letter.meaning(), width);
        lines.add(paint.apply(tone(letter), title.stripTrailing()) + head.get(0).substring(title.length() - 1));
        lines.addAll(head.subList(1, head.size()));
        diagnosis.findings().stream().filter(Finding::isFault).forEach(each -> {
            lines.add("");
            lines.addAll(fault(each, paint, width));
        });
        lines.add("");
        block(lines, "fine: ", diagnosis.findings(), each -> each.letter() == GradeLetter.A, width);
        block(lines, "not visible here: ", diagnosis.findings(), each -> each.letter() == null, width);
        return lines;
    }

    private static List<String> fault(Finding finding, Paint paint, int width) {
        List<String> lines = new ArrayList<>();
        List<String> found = Wrapped.lines(INDENT, finding.subject() + ": " + finding.found(), width);
        lines.add(paint.apply(tone(finding.letter()), finding.letter().name()) + "  "
                + paint.apply(Tone.BOLD, finding.subject())
                + found.get(0).substring(INDENT.length() + finding.subject().length()));
        lines.addAll(found.subList(1, found.size()));
        lines.addAll(Wrapped.lines(INDENT + "why: ", finding.why(), width));
        lines.add(INDENT + "do:  " + finding.remedy()); // not broken: it is to be copied
        return lines;
    }

    private static void block(
            List<String> lines, String label, List<Finding> all, Predicate<Finding> chosen, int width) {
        String text = all.stream()
                .filter(chosen)
                .map(each -> each.subject() + " (" + each.found() + ")")
                .collect(Collectors.joining("; "));
        if (!text.isEmpty()) {
            lines.addAll(Wrapped.lines(label, text, width));
        }
    }

    private static Tone tone(GradeLetter letter) {
        return switch (letter) {
            case A, B -> Tone.GOOD;
            case C, D -> Tone.WARNING;
            case E, F -> Tone.BAD;
        };
    }

    /** The JVMs that were found, and how to measure in them. */
    public static List<String> lines(List<ReportedJvm> jvms, Paint paint, int width) {
        List<String> lines = new ArrayList<>();
        for (ReportedJvm jvm : jvms) {
            lines.add(paint.apply(Tone.BOLD, jvm.home()));
            lines.addAll(Wrapped.lines("  ", jvm.version() + ", " + jvm.vendor() + ", " + jvm.name(), width));
            if (!jvm.collectors().isEmpty()) {
                lines.addAll(Wrapped.lines("  collectors: ", String.join(", ", jvm.collectors()), width));
            }
        }
        lines.add("");
        lines.addAll(Wrapped.lines(
                "", "Measure in several of them with --jvm PATH,PATH or --jvm found, and with --gc NAME,NAME.", width));
        return lines;
    }
}
