package dev.baton.lab.study.window;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.command.EngineOptions;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.PageOfResults;
import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.command.TransportOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.CollectorThreads;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.JvmProbe;
import dev.baton.lab.reporting.ProgressLine;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.search.SearchScheduler;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.LoopOptions;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Wrapped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code baton window}: measures a sliding window that emits every key at each step, by state, keys and loops. */
@Command(
        name = "window",
        sortOptions = false,
        defaultValueProvider = WindowCommand.Defaults.class,
        resourceBundle = "dev.baton.lab.study.window.window",
        description = {
            "Measures a sliding window: events are aggregated by key over 10 s; every 10 ms each key is emitted with its total.",
            "The latency of a step runs from the end of its window to the start of its emission by the last source.",
            "Items are events in and results out: --keys 10000 at the default rate and step are 2 million per second."
        })
public final class WindowCommand extends MeasuringCommand {
    private static final double ITEM_BYTES = 128; // bytes that an item takes in a queue's file, generously

    /** It runs longer than the commands that it shares options with. */
    static final class Defaults extends ChangedDefaults {
        public Defaults() {
            super(Map.of("--warmup", "20s", "--duration", "240s"));
        }
    }

    @Mixin
    private TransportOptions transports = new TransportOptions("disruptor");

    @Mixin
    private WindowOptions window;

    public WindowCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Plan plan(JvmChoice choice) {
        Phases phases = window.phases();
        List<ChosenTransport> chosen = transports.choose(bench().known()).stream()
                .map(WindowCommand::withSmallSlots)
                .toList();
        List<JvmChoice> choices = window.choices(choice);
        choices.forEach(WindowCommand::requireStart);
        List<PlannedTrial> trials = new ArrayList<>();
        double bytes = 0;
        for (ChosenTransport each : chosen) {
            for (WindowStudy.State state : window.states()) {
                for (int keys : window.keys()) {
                    for (PlannedTrial trial : trials(each, choices, phases, window.study(state, keys))) {
                        trials.add(trial);
                        double seconds = trial.plan().phases().sendingNanos() / 1e9;
                        double items = WindowStudy.itemsPerSecond(trial.plan()) * seconds;
                        double needed = each.writesHere() ? items * ITEM_BYTES : 0;
                        bytes = output().isKept() ? bytes + needed : Math.max(bytes, needed);
                    }
                }
            }
        }
        return new Plan(trials, EngineOptions.shuffled(trials, seed()), chosen, Wire.RESULT_BYTES, (long) bytes);
    }

    /** Returns the transport with slots no larger than a result, where slots have one size, so that many are close together. */
    private static ChosenTransport withSmallSlots(ChosenTransport chosen) {
        String option = chosen.provider().payloadOption();
        return option == null ? chosen : chosen.withDefaults(Map.of(option, Integer.toString(Wire.RESULT_BYTES)));
    }

    private static void requireStart(JvmChoice choice) {
        String complaint = CollectorThreads.typed(choice.flags()) == null ? null : JvmProbe.complaint(choice);
        if (complaint != null) {
            throw CommandException.environment("the JVM does not start with these options: " + complaint);
        }
    }

    /** Returns the trials with each number of loops and of the collector's threads. */
    private List<PlannedTrial> trials(
            ChosenTransport chosen, List<JvmChoice> choices, Phases phases, WindowStudy study) {
        return choices.stream()
                .flatMap(choice ->
                        window.loops(choice).stream().map(loops -> trial(chosen, choice, phases, study, loops)))
                .toList();
    }

    private PlannedTrial trial(ChosenTransport chosen, JvmChoice choice, Phases phases, WindowStudy study, int loops) {
        Shape shape = window.shape(loops, study.keys());
        Load load = window.load(shape.instances());
        LoopPlan threads = LoopOptions.checked(new LoopPlan(LoopPlan.COOPERATIVE + loops, null, 0));
        String heap = WindowHeap.of(choice, study, load, phases, shape.instances());
        PlannedTrial any =
                new PlannedTrials(shape, load, threads, phases, observers(), choice, heap).of(chosen, Subject.BATON);
        Integer collecting = CollectorThreads.typed(choice.flags());
        String id = chosen.provider().name() + "-" + Checks.typed(study.state()) + "-" + study.keys() + "-keys-" + loops
                + (loops == 1 ? "-loop" : "-loops")
                + (collecting == null ? "" : "-" + collecting + "-collector-threads");
        return any.with(any.plan().asking(study, window.judged(phases)).named(id))
                .withWholeHeap(heap);
    }

    @Override
    public boolean isSearching() {
        return window.isSearch;
    }

    @Override
    public int measure(Plan plan, Workspace workspace) {
        return isSearching()
                ? new ItemSearchRun(this, plan.trials(), window.course.isQuick()).run(workspace)
                : super.measure(plan, workspace);
    }

    @Override
    public String nameOf(TrialPlan plan) {
        return WindowTable.Names.inFull(plan);
    }

    @Override
    public String progressNameOf(TrialPlan plan) {
        return WindowTable.Names.inFull(plan);
    }

    @Override
    public List<String> report(List<TrialResult> results, Path folder) {
        return WindowReport.lines(results, folder, console().terminal());
    }

    /**
     * Runs searches for the most items, and shows what they found. Confined to one thread.
     */
    static final class ItemSearchRun {
        private final MeasuringCommand command;
        private final List<ItemSearch> searches;
        private final WindowStudy study;

        /**
         * Creates the searches.
         *
         * @param planned a trial of each job with each number of keys
         */
        ItemSearchRun(MeasuringCommand command, List<PlannedTrial> planned, boolean isQuick) {
            this.command = command;
            searches = ItemSearch.of(planned, isQuick);
            study = (WindowStudy) planned.get(0).plan().study();
        }

        /**
         * Runs all searches.
         *
         * @return the exit code
         */
        int run(Workspace workspace) {
            Console console = command.console();
            ExperimentFolder folder = command.beginFolder(List.of());
            int samples = searches.get(0).isProvisional() ? 1 : Limit.ENOUGH_SAMPLES;
            console.print(new TextReport(console.terminal())
                    .text(ItemSearchText.asked(study.shown()))
                    .text(ItemSearchText.needed(study.shown(), samples, study.stepsPerSecond()))
                    .lines());
            try (ProgressLine progress = new ProgressLine(console.err(), console.terminal(), TrialPlan::id)) {
                Trials trials = command.bench().trials(folder, workspace, progress);
                new SearchScheduler<ItemSearch>(
                                trials::runOne,
                                this::show,
                                command.bench().interruption()::isRequested,
                                System::nanoTime)
                        .run(searches, command.budget(), command.seed());
            }
            folder.end();
            List<TrialResult> measured = folder.measured().trials();
            if (!measured.isEmpty()) {
                folder.write(FoundItems.FILE, FoundItems.of(study.shown(), searches));
                console.print(lines(measured, folder));
                Headline headline = new Headline(ItemSearchText.asked(study.shown()), answers());
                PageOfResults.write(folder.measured(), headline, console);
            }
            folder.discardIfEmpty();
            int code = ExitCode.OK;
            for (ItemSearch each : searches) {
                if (each.refusal() != null) {
                    console.complain("baton: " + each.refusal().getMessage());
                }
                code = ExitCode.graver(code, each.exitCode());
            }
            if (command.bench().interruption().isRequested()) {
                command.output().tellKept(workspace, console);
                console.complain("baton: interrupted; the results so far are above");
                return ExitCode.INTERRUPTED;
            }
            return command.conclude(List.of(), workspace, code);
        }

        private void show(ItemSearch search) {
            Terminal terminal = command.console().terminal();
            command.console()
                    .print(Wrapped.lines("", ItemSearchText.judged(search, search.last()), terminal.columns()));
        }

        private List<String> lines(List<TrialResult> measured, ExperimentFolder folder) {
            Terminal terminal = command.console().terminal();
            TextReport report = new TextReport(terminal);
            searches.stream()
                    .filter(each -> !each.points().isEmpty())
                    .forEach(each -> report.gap().line(Tone.BOLD, each.name).table(ItemSearchText.table(each)));
            return report.gap()
                    .texts(answers())
                    .gap()
                    .lines(WindowReport.ends(measured, folder.path(), terminal))
                    .lines();
        }

        private List<String> answers() {
            return searches.stream()
                    .map(each -> ItemSearchText.answer(each, study.shown()))
                    .toList();
        }
    }
}
