package dev.baton.lab.study.advice;

import dev.baton.lab.command.JvmOptions;
import dev.baton.lab.command.LaboratoryCommand;
import dev.baton.lab.command.OutputOptions;
import dev.baton.lab.command.PageOfResults;
import dev.baton.lab.command.Rehearsal;
import dev.baton.lab.command.TransportOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.Collector;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.JvmProbe;
import dev.baton.lab.reporting.ProgressLine;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Phases;
import dev.baton.lab.results.PrivateFile;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code baton advise}: recommends a transport, loops and a JVM for a rate, a limit and a guarantee. */
@Command(
        name = "advise",
        sortOptions = false,
        resourceBundle = "dev.baton.lab.study.advice.advice",
        description = {
            "Finds the cheapest configuration of chains that keep a limit, with its disadvantages and its reliability.",
            "",
            "Excludes transports without the required guarantee, and measures the others in a short trial for each combination of"
                    + " loops, idle strategy, latency budget, batch, options for many topics, collector and heap. The two"
                    + " cheapest that keep the limit are then compared, the best one twice, to measure the noise. The"
                    + " cheapest takes the least CPU time per message."
        },
        footer = {
            "",
            "Leaves advice.json and advice.args (for service @FILE or chain @FILE) beside the results.",
            "Exit codes: 0 recommended, 1 nothing that was measured keeps the limit, 4 inconclusive."
        })
public final class AdviseCommand extends LaboratoryCommand {
    private static final List<Collector> COLLECTORS =
            List.of(Collector.SERIAL, Collector.PARALLEL, Collector.G1, Collector.ZGC);

    /** A larger heap, as a multiple of the one that is enough. */
    private static final int MORE_HEAP = 4;

    @Mixin
    private AdviceOptions asked;

    @Mixin
    private TransportOptions transports = new TransportOptions("all");

    @Mixin
    private JvmOptions jvms;

    @Mixin
    private OutputOptions output;

    private final List<String> ruledOut = new ArrayList<>();

    public AdviseCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Integer call() {
        asked.budget();
        asked.shape(); // opens the chain of a jar
        List<ChosenTransport> promising = promising();
        List<JvmChoice> choices =
                jvms.startingWays(console).stream().map(JvmOptions.Way::choice).toList();
        Question question = asked.question(choices.get(0));
        long diskBytes = asked.diskBytes(asked.shape().instances(), asked.load().ratePerSecond());

        try (Workspace workspace = output.openWorkspace(bench.interruption(), diskBytes, OutputOptions.temporary())) {
            List<ChosenTransport> usable = usable(promising, workspace);
            requireTime(settings(usable, choices, question), choices.get(0));
            Question within = asked.question(choices.get(0));
            return run(settings(usable, withOtherCollectors(choices), within), within, workspace);
        }
    }

    private Neighbourhood settings(List<ChosenTransport> usable, List<JvmChoice> choices, Question question) {
        return new Neighbourhood(
                usable,
                asked.limits(),
                asked.load().ratePerSecond(),
                asked.shape(),
                choices,
                heaps(choices, question),
                Runtime.getRuntime().availableProcessors());
    }

    /** Returns the transports with the required guarantees. */
    private List<ChosenTransport> promising() {
        Survival survival = asked.survival();
        List<ChosenTransport> promising = new ArrayList<>();
        for (ChosenTransport each : transports.choose(bench.known())) {
            String reason = survival.reason(each);
            if (reason == null) {
                promising.add(survival.copied(each, asked.isTyped("--brokers")));
            } else {
                ruledOut.add(each.provider().name() + " " + reason);
            }
        }
        Checks.require(
                !promising.isEmpty(),
                "--survives " + Checks.typed(survival) + ": no transport promises it: " + String.join("; ", ruledOut));
        return promising;
    }

    /** Returns the transports whose longest payload is long enough. */
    private List<ChosenTransport> usable(List<ChosenTransport> promising, Workspace workspace) {
        int payload = asked.shape().payloadBytes();
        List<ChosenTransport> usable = new ArrayList<>();
        CommandException last = null;
        for (ChosenTransport each : promising) {
            ChosenTransport raised = each.withRoomFor(payload);
            try {
                Rehearsal.run(List.of(raised), payload, asked.size(), workspace);
                usable.add(raised);
            } catch (CommandException refused) {
                boolean isAskedFor =
                        asked.isTyped("--transport") || !each.options().isEmpty();
                if (refused.getCause() != null && isAskedFor) {
                    throw refused; // an option that is not allowed, or a server that cannot be reached
                } // not asked for: what it needs runs nowhere, such as an Archive
                ruledOut.add(refused.getMessage());
                last = refused;
            }
        }
        if (usable.isEmpty()) {
            throw last;
        }
        return usable;
    }

    /** Returns these JVMs, and with the JVM's own collector the others that it can start, which takes a while to determine. */
    private List<JvmChoice> withOtherCollectors(List<JvmChoice> typed) {
        List<JvmChoice> choices = new ArrayList<>();
        for (JvmChoice own : typed) {
            choices.add(own);
            if (!asked.isTyped("--gc")) {
                COLLECTORS.stream()
                        .map(each -> new JvmChoice(own.jvm(), each, own.heap(), own.further()))
                        .filter(each -> isAnother(own, each))
                        .forEach(choices::add);
            }
        }
        return choices;
    }

    /** {@return whether a collector is available and is not the JVM's own choice} */
    private static boolean isAnother(JvmChoice own, JvmChoice other) {
        String flag = other.collector().flags(own.jvm().feature()).get(0).replaceFirst("-XX:\\+", "");
        return JvmProbe.complaint(other) == null && !"true".equals(JvmProbe.flag(own, flag));
    }

    /** Returns the heaps of the command line, or else one that is enough and a larger one. */
    private List<String> heaps(List<JvmChoice> choices, Question question) {
        if (asked.isTyped("--heap")) {
            return choices.stream().map(JvmChoice::heap).distinct().toList();
        }
        long more = MORE_HEAP * JvmOptions.bytes(question.exploratory().heap());
        return Arrays.asList(null, (more >> 20) + "m");
    }

    /**
     * Refuses a budget that cannot end with a recommendation before anything is measured, and names one that can; raises the default
     * budget to it.
     */
    private void requireTime(Neighbourhood settings, JvmChoice any) {
        Duration budget = asked.budget();
        Duration needed = AdviceSearch.needed(settings, asked.question(any, budget));
        if (needed.compareTo(budget) <= 0) {
            return;
        }
        Duration enough = AdviceText.roundedUp(needed);
        Duration then =
                AdviceSearch.needed(settings, asked.question(any, enough)); // trials are longer in a longer budget
        while (then.compareTo(enough) > 0) {
            enough = AdviceText.roundedUp(then);
            then = AdviceSearch.needed(settings, asked.question(any, enough));
        }
        if (!asked.isTyped("--budget")) {
            asked.raiseBudget(enough);
            return;
        }
        throw CommandException.usage("--budget " + Units.typed(budget)
                + " is too short for an answer: a trial of each transport and "
                + 3 * Confirmation.LEAST_ROUNDS + " that decide take about " + Units.typed(AdviceText.roundedUp(needed))
                + "; raise --budget to " + Units.typed(enough) + ", or name fewer transports with --transport");
    }

    private int run(Neighbourhood settings, Question question, Workspace workspace) {
        ExperimentFolder folder = output.begin(spec, asked.seed(), List.of());
        int width = console.terminal().columns();
        console.print(head(question));
        AdviceSearch search;
        SearchEnd finding;
        long begun = System.nanoTime();
        try (ProgressLine progress = new ProgressLine(
                console.err(),
                console.terminal(),
                plan -> "[" + Units.clock(Duration.ofNanos(System.nanoTime() - begun)) + " of "
                        + Units.typed(asked.budget()) + "] " + plan.id())) {
            Trials trials = bench.trials(folder, workspace, progress);
            TrialBudget budget = new TrialBudget(
                    asked.budget(), trials::runOne, bench.interruption()::isRequested, System::nanoTime);
            search = new AdviceSearch(
                    settings, question, budget, tried -> console.print(AdviceReport.lines(tried, width)));
            finding = search.run();
        }
        folder.end();
        Advice advice = Advice.of(asked.asked(), finding, search, ruledOut, asked.coreHour());
        if (!folder.measured().trials().isEmpty()) {
            leave(advice, finding, folder);
            console.print(AdviceReport.lines(advice, asked.coreHour(), folder.path(), console.terminal()));
            console.print(new TextReport(console.terminal())
                    .texts(Remarks.onProvisional(folder.measured().trials()))
                    .texts(Remarks.onOtherProcessesById(folder.measured().trials()))
                    .lines());
            PageOfResults.write(folder.measured(), AdviceReport.headline(advice, asked.coreHour()), console);
        }
        folder.discardIfEmpty();
        return conclude(advice, finding, search, workspace);
    }

    private List<String> head(Question question) {
        Phases exploratory = question.exploratory().phases();
        Phases deciding = question.deciding().phases();
        return new TextReport(console.terminal())
                .text(asked.asked())
                .texts("ruled out: ", ruledOut)
                .text(
                        "trials: ",
                        "a fresh JVM each; " + length(exploratory) + " in an exploratory trial, " + length(deciding)
                                + " in a deciding one; verdicts on fewer than "
                                + Limit.ENOUGH_SAMPLES
                                + " messages above a percentile are provisional and do not affect the answer; trials"
                                + " that would end after "
                                + Units.typed(asked.budget())
                                + " are not started"
                                + (asked.isRaised()
                                        ? " (budget raised to " + Units.typed(asked.budget())
                                                + ", as an answer needs it)"
                                        : ""))
                .line(AdviceReport.HEADING)
                .lines();
    }

    private static String length(Phases phases) {
        return Units.span(Duration.ofNanos(phases.measureNanos())) + " after a warm-up of "
                + Units.span(Duration.ofNanos(phases.warmupNanos()));
    }

    private void leave(Advice advice, SearchEnd finding, ExperimentFolder folder) {
        folder.write(Advice.FILE, advice);
        if (finding.taken() != null) {
            String arguments = Configuration.arguments(
                    finding.taken(), asked.shape().chain(), advice.take().jvmFlags());
            CommandException.guarded(
                    "cannot write to " + folder.path(),
                    () -> PrivateFile.write(folder.path().resolve(Advice.ARGUMENTS), arguments));
        }
    }

    private int conclude(Advice advice, SearchEnd finding, AdviceSearch search, Workspace workspace) {
        List<CommandException> refusals = search.tried.stream()
                .map(each -> each.trial().failure())
                .filter(Objects::nonNull)
                .toList();
        refusals.stream()
                .map(CommandException::getMessage)
                .distinct()
                .forEach(each -> console.complain("baton: " + each));
        output.tellKept(workspace, console);
        if (finding.end() == SearchEnd.End.INTERRUPTED) {
            console.complain("baton: interrupted; the figures so far are kept");
        } else if (finding.taken() == null) {
            console.complain("baton: " + AdviceReport.label(advice) + ": " + advice.why());
        }
        boolean isRefused = finding.taken() == null && !refusals.isEmpty() && refusals.size() == search.tried.size();
        return isRefused ? ExitCode.of(refusals.get(0)) : finding.end().code;
    }
}
