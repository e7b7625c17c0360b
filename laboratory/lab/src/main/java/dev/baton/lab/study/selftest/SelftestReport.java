package dev.baton.lab.study.selftest;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.study.selftest.Proof.Answer;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The output of the self-test: a line for each case with its most significant figure, every figure on request, and the wrong ones in full.
 * Stateless, thread-safe.
 */
public final class SelftestReport {
    private static final String GAP = "  ";
    private static final String ARITHMETIC =
            "A stall of L in every T puts (L - limit) / T of the messages over the limit: one of 200 ms in 100 s puts"
                    + " 0.1 % of them over 100 ms, which breaks p99.9 < 100 ms. A closed loop would have counted one"
                    + " message.";

    private SelftestReport() {}

    /** Lists cases by their names. */
    public static List<String> list(Collection<SelftestCase> cases) {
        List<String> lines = aligned(
                cases.stream().map(each -> List.of(each.typed(), each.title())).toList());
        lines.add("");
        lines.add("self-test " + SelftestCase.identity());
        return lines;
    }

    /**
     * The table and its summary.
     *
     * @param isWhole whether every figure is shown with its tolerance, and not only the most significant one of each case
     */
    public static List<String> lines(List<Answer> answers, Duration took, boolean isWhole, Terminal terminal) {
        TextReport report =
                new TextReport(terminal).lines(isWhole ? whole(answers, terminal) : table(answers, terminal));
        answers.stream()
                .filter(answer -> answer.state() == Answer.State.FAIL)
                .forEach(answer -> addFailures(report, answer));
        addDoubts(report, answers);
        report.gap().text(summary(answers, took));
        if (answers.stream().anyMatch(each -> each.name() == SelftestCase.STALL_ARITHMETIC)) {
            report.gap().text(ARITHMETIC);
        }
        return report.lines();
    }

    private static void addFailures(TextReport report, Answer answer) {
        report.gap()
                .line(answer.name().title() + ", with " + Units.time(answer.disturbedNanos())
                        + " taken by the machine:");
        answer.checks().stream()
                .filter(check -> !check.holds())
                .forEach(check -> report.text(
                        "  " + check.what() + ": ", "expected " + check.expected() + ", reported " + check.reported()));
    }

    private static void addDoubts(TextReport report, List<Answer> answers) {
        List<Answer> open = answers.stream()
                .filter(answer -> answer.state() == Answer.State.INCONCLUSIVE)
                .toList();
        if (open.isEmpty()) {
            return;
        }
        long most = open.stream().mapToLong(Answer::disturbedNanos).max().orElseThrow();
        String names =
                String.join(",", open.stream().map(each -> each.name().typed()).toList());
        report.gap()
                .text("INCONCLUSIVE: the machine took up to " + Units.time(most)
                        + " from a chain's threads in each of " + open.get(0).round()
                        + " rounds; run it again on a quieter machine: --only " + names);
    }

    private static List<String> table(List<Answer> answers, Terminal terminal) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("case", "injected", "expected", "reported", "verdict"));
        for (Answer answer : answers) {
            Check check = answer.shown();
            rows.add(List.of(
                    answer.name().title(),
                    answer.injected(),
                    check == null ? "" : check.what() + ": " + check.expected().replaceAll(" \\(.* to .*\\)", ""),
                    check == null ? "" : check.reported().replaceAll("[:;].*", ""),
                    state(answer, terminal)));
        }
        List<String> lines = aligned(rows);
        boolean isTooWide = lines.stream().anyMatch(line -> line.length() > terminal.columns());
        return isTooWide
                ? aligned(rows.stream().map(SelftestReport::withoutInjected).toList())
                : lines;
    }

    /** Returns the row without what was injected, which the full list of figures has, too. */
    private static List<String> withoutInjected(List<String> row) {
        return List.of(row.get(0), row.get(2), row.get(3), row.get(4));
    }

    private static List<String> whole(List<Answer> answers, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        answers.forEach(answer -> answer.checks()
                .forEach(check -> rows.add(List.of("  " + check.what(), check.expected(), check.reported()))));
        List<String> all = aligned(rows);
        int next = 0;
        for (Answer answer : answers) {
            lines.add(state(answer, terminal) + "  " + answer.name().title() + ": " + answer.injected());
            for (Check check : answer.checks()) {
                String line = all.get(next++);
                lines.add(check.holds() ? line : terminal.paint().apply(Tone.BAD, line));
            }
        }
        return lines;
    }

    private static String state(Answer answer, Terminal terminal) {
        return terminal.paint().apply(answer.state().tone, answer.state().toString());
    }

    /** Aligns columns: each is as wide as its widest cell, except the last one. */
    private static List<String> aligned(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size() - 1; i++) {
                int column = i;
                int width = rows.stream()
                        .mapToInt(each -> each.get(column).length())
                        .max()
                        .orElse(0);
                line.append(row.get(i))
                        .append(" ".repeat(width - row.get(i).length()))
                        .append(GAP);
            }
            lines.add(line + row.get(row.size() - 1));
        }
        return lines;
    }

    private static String summary(List<Answer> answers, Duration took) {
        long figures = answers.stream().mapToLong(each -> each.checks().size()).sum();
        List<String> states = new ArrayList<>();
        for (Answer.State state : Answer.State.values()) {
            long count = answers.stream().filter(each -> each.state() == state).count();
            if (count > 0) {
                states.add(count + " " + state);
            }
        }
        long repeated = answers.stream().filter(each -> each.round() > 1).count();
        return String.join(", ", states) + " of " + answers.size() + (answers.size() == 1 ? " case, " : " cases, ")
                + figures + " figures, in " + Units.span(took) + "; self-test " + SelftestCase.identity() + "."
                + (repeated == 0
                        ? ""
                        : " " + repeated + (repeated == 1 ? " case was" : " cases were")
                                + " repeated, as the machine had disturbed a trial.");
    }
}
