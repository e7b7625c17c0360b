package dev.baton.lab.study.chaos;

import dev.baton.lab.results.Headline;
import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.lab.study.chaos.storage.StorageFaultOutcome;
import dev.baton.operations.line.Checks;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The output of {@code baton chaos}: a line for each fault, and a table for each set-up. Stateless, thread-safe. */
public final class ChaosReport {
    private static final int MOST_FINDINGS = 10;

    private ChaosReport() {}

    public static String line(InjectedFault.Outcome outcome, int of) {
        return String.format(
                Locale.ROOT,
                "  %s  %3d/%d  %-28s  %s%s",
                Units.clock(Duration.ofMillis(outcome.atMillis())),
                outcome.fault().number(),
                of,
                outcome.fault(),
                outcome.isSurvived()
                        ? "recovered in " + Units.time(outcome.recoveryNanos()) + ", stall "
                                + Units.time(outcome.stallNanos())
                        : "NOT RECOVERED",
                outcome.remark() == null ? "" : "; " + outcome.remark());
    }

    public static String line(Account account) {
        String state = account.findings().isEmpty() ? "clean" : "WRONG: " + String.join("; ", account.findings());
        int edges = account.edges().size();
        return "  audit: " + Units.count(account.sent()) + " sent, "
                + (account.isOfEnds()
                        ? "compared with the receiver's journal"
                        : account.topics().size() + " topics"
                                + (edges == 0 ? "" : " and " + edges + " edges beside them") + " read from end to end")
                + ": " + state;
    }

    public static List<String> lines(ChaosResult result, Terminal terminal) {
        TextReport report = new TextReport(terminal);
        for (ChaosResult.Run run : result.runs()) {
            if (run.storage().isEmpty()) {
                addTable(report.gap(), run);
            } else {
                addStorage(report.gap(), run);
            }
            addFindings(report, run);
        }
        return report.gap()
                .texts("note: ", result.remarks())
                .text(result.runs().stream().anyMatch(run -> !run.storage().isEmpty()) ? STORAGE : EXPLANATION)
                .gap()
                .text("seed " + result.seed() + "; again: ", result.repeat())
                .line(verdict(result, terminal))
                .lines();
    }

    private static final String EXPLANATION =
            "Recovery: from the fault to the first output of a message that was sent after it; it includes the"
                    + " start of a JVM where a process was killed. Stall: the longest time without a message at the sink. Lost,"
                    + " duplicated, reordered: by the message numbers in all topics, from end to end, or over aeron at both ends of the"
                    + " chain. Redelivered: messages that a"
                    + " restarted receiver got again, which at-least-once delivery permits; no topic contains one twice."
                    + " Dead letters: messages that a service rejects on purpose; each is stored in the topic of dead letters,"
                    + " and none is lost. Messages that a fault deletes are not counted as lost.";

    private static final String STORAGE = "Harmless: everything came out as it was sent. Repaired: the same, with a"
            + " warning. Detected: refused or reported, with the file or the topic, the place and the remedy. Announced:"
            + " what was not synced at the end is lost after a restart of the host, and a warning has the numbers, as in"
            + " the class process. Unrecorded: the same without a warning, as the record of the end was not synced"
            + " either. The others are failures. Broken: refused or reported, though the class host promises that what"
            + " was stored is readable. Unclear: refused without the file or topic, the place or the remedy. Silent:"
            + " messages lost, altered, doubled or skipped, or a chain that is stalled or crashed, without a report.";

    private static void addStorage(TextReport report, ChaosResult.Run run) {
        List<StorageFaultOutcome.Outcome> outcomes = List.of(StorageFaultOutcome.Outcome.values());
        Table table =
                new Table(Stream.concat(Stream.of("faults"), outcomes.stream().map(Object::toString))
                        .toArray(String[]::new));
        run.storage().stream()
                .collect(Collectors.groupingBy(StorageFaultOutcome::kind, TreeMap::new, Collectors.toList()))
                .forEach((kind, own) -> {
                    List<Cell> cells = new ArrayList<>(List.of(Cell.of(Units.count(own.size()))));
                    for (StorageFaultOutcome.Outcome outcome : outcomes) {
                        long count = own.stream()
                                .filter(each -> each.outcome() == outcome)
                                .count();
                        cells.add(
                                Cell.of(Units.count(count), count > 0 && outcome.isFailure() ? Tone.BAD : Tone.PLAIN));
                    }
                    table.row("  " + Checks.typed(kind), cells);
                });
        report.line(run.setUp().name()).table(table);
    }

    private static void addTable(TextReport report, ChaosResult.Run run) {
        Table table = new Table("faults", "survived", "recovery p50", "max", "longest stall");
        run.faults().stream()
                .collect(Collectors.groupingBy(each -> each.fault().kind(), TreeMap::new, Collectors.toList()))
                .forEach((kind, own) -> table.row("  " + Checks.typed(kind), cells(own)));
        if (!run.faults().isEmpty()) {
            table.row("  all", cells(run.faults()));
        }
        report.line(run.setUp().name()).table(table).text("  ", totals(run));
        addEdges(report, run);
    }

    /** A row for each edge of a composed chain, over all its lives. */
    private static void addEdges(TextReport report, ChaosResult.Run run) {
        Map<String, List<Account.Edge>> byName = run.accounts().stream()
                .filter(account -> !account.edges().isEmpty())
                .flatMap(account -> Stream.concat(Stream.of(account.chain()), account.edges().stream()))
                .collect(Collectors.groupingBy(Account.Edge::toString, LinkedHashMap::new, Collectors.toList()));
        if (byName.isEmpty()) {
            return;
        }
        Table table = new Table("frames", "missing", "duplicated", "reordered", "altered");
        byName.forEach((name, edges) -> table.row(
                "  " + name,
                Stream.<ToLongFunction<Account.Edge>>of(
                                edge -> edge.topic().frames(),
                                edge -> edge.topic().missing() + edge.behind(),
                                edge -> edge.topic().duplicated(),
                                edge -> edge.topic().reordered(),
                                edge -> edge.topic().altered())
                        .map(figure -> Cell.of(
                                Units.count(edges.stream().mapToLong(figure).sum())))
                        .toList()));
        report.gap().table(table);
    }

    private static String totals(ChaosResult.Run run) {
        return Units.count(run.sum(Account::sent)) + " sent: " + counts(run::sum) + ", "
                + Units.count(run.sum(Account::altered)) + " altered, "
                + Units.count(run.sum(Account::gaps)) + " gaps in sequences; "
                + Units.count(run.sum(Account::letters)) + " dead letters; "
                + Units.count(run.sum(Account::redelivered)) + " redelivered to the receiver"
                + (run.wasInterrupted()
                        ? "; interrupted, " + Units.count(run.sum(Account::onTheWay)) + " on their way"
                        : "");
    }

    private static List<Cell> cells(List<InjectedFault.Outcome> own) {
        long survived = own.stream().filter(InjectedFault.Outcome::isSurvived).count();
        long[] recoveries = own.stream()
                .filter(InjectedFault.Outcome::isSurvived)
                .mapToLong(InjectedFault.Outcome::recoveryNanos)
                .sorted()
                .toArray();
        return List.of(
                Cell.of(Units.count(own.size())),
                Cell.of(Units.count(survived), survived == own.size() ? Tone.PLAIN : Tone.BAD),
                Cell.of(recoveries.length == 0 ? "-" : Units.time(recoveries[(recoveries.length - 1) / 2])),
                Cell.of(recoveries.length == 0 ? "-" : Units.time(recoveries[recoveries.length - 1])),
                Cell.of(Units.time(own.stream()
                        .mapToLong(InjectedFault.Outcome::stallNanos)
                        .max()
                        .orElse(0))));
    }

    private static void addFindings(TextReport report, ChaosResult.Run run) {
        List<String> all = run.findings();
        report.texts("  WRONG: ", all.subList(0, Math.min(MOST_FINDINGS, all.size())))
                .texts("  inconclusive: ", run.whyInconclusive());
        if (all.size() > MOST_FINDINGS) {
            report.line("  and " + (all.size() - MOST_FINDINGS) + " more, in " + ChaosResult.FILE);
        }
    }

    /** Returns the result in sentences, which the gallery of experiments shows. */
    static Headline headline(ChaosResult result) {
        List<String> answers = new ArrayList<>(List.of(verdict(result) + "."));
        for (ChaosResult.Run run : result.runs()) {
            Stream.concat(run.findings().stream(), run.whyInconclusive().stream())
                    .limit(MOST_FINDINGS)
                    .forEach(each -> answers.add(run.setUp().name() + ": " + each + "."));
        }
        return new Headline(
                "Faults under load, "
                        + result.runs().stream().map(run -> run.setUp().name()).collect(Collectors.joining(", "))
                        + " at "
                        + Units.count(result.rate()) + " msg/s; seed " + result.seed(),
                answers);
    }

    private static String verdict(ChaosResult result, Terminal terminal) {
        Tone tone = !result.hasPassed() ? Tone.BAD : result.isConclusive() ? Tone.GOOD : Tone.WARNING;
        return terminal.paint().apply(tone, verdict(result));
    }

    private static String verdict(ChaosResult result) {
        long faults =
                result.runs().stream().mapToLong(run -> run.faults().size()).sum();
        String word = !result.hasPassed() ? "FAIL" : result.isConclusive() ? "PASS" : "INCONCLUSIVE";
        String counts = counts(figure ->
                result.runs().stream().mapToLong(run -> run.sum(figure)).sum());
        List<StorageFaultOutcome> storage =
                result.runs().stream().flatMap(run -> run.storage().stream()).toList();
        return word + ": "
                + (storage.isEmpty()
                        ? Units.counted(faults, "fault") + ", " + counts
                        : Units.counted(storage.size(), "fault") + " of storage, "
                                + Units.count(storage.stream()
                                        .filter(each -> each.outcome().isFailure())
                                        .count())
                                + " failed");
    }

    private static String counts(ToLongFunction<ToLongFunction<Account>> sum) {
        return Units.count(sum.applyAsLong(Account::lost)) + " lost, "
                + Units.count(sum.applyAsLong(Account::duplicated)) + " duplicated, "
                + Units.count(sum.applyAsLong(Account::reordered)) + " reordered";
    }
}
