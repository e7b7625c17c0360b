package dev.baton.lab.study.window;

import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.command.TransportOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.JvmChoice;
import dev.baton.lab.launch.JvmFlags;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.reporting.Figure;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.window.WindowStudy.State;
import dev.baton.operations.line.ChosenTransport;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.LoopOptions;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code baton window}: a sliding window that emits every key at each step, by state, keys and loops. */
@Command(
        name = "window",
        sortOptions = false,
        defaultValueProvider = WindowDefaults.class,
        resourceBundle = "dev.baton.lab.study.window.window",
        description = {
            "Measures a sliding window: events are counted by key over 10 s, every 10 ms each key is emitted with its"
                    + " count. The latency runs from a window's end to the start of its emission, the one of the last"
                    + " source; one for each step.",
            "Items are events in and results out: --keys 10000 at the default rate and step are 2 million per second."
        })
public final class WindowCommand extends MeasuringCommand {
    /** Bytes that an item takes in a queue's file, generously. */
    private static final double ITEM_BYTES = 128;

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
        List<PlannedTrial> trials = new ArrayList<>();
        double bytes = 0;
        for (ChosenTransport each : chosen) {
            for (State state : window.states()) {
                for (int keys : window.keys()) {
                    for (int loops : window.loops(choice)) {
                        PlannedTrial trial = trial(each, choice, phases, window.study(state, keys), loops);
                        trials.add(trial);
                        double needed = each.writesHere() ? fileBytes(trial.plan()) : 0;
                        bytes = output().isKept() ? bytes + needed : Math.max(bytes, needed);
                    }
                }
            }
        }
        List<PlannedTrial> order = new ArrayList<>(trials);
        Collections.shuffle(order, new Random(window.seed()));
        return new Plan(trials, order, chosen, Long.BYTES, (long) bytes);
    }

    /** Where a transport's slots have one size: no larger than a result, so that many lie close together. */
    private static ChosenTransport withSmallSlots(ChosenTransport chosen) {
        Map<String, String> options = new TreeMap<>(chosen.options());
        String option = chosen.provider().payloadOption();
        if (option != null) {
            options.putIfAbsent(option, Integer.toString(Long.BYTES));
        }
        return chosen.with(options);
    }

    private PlannedTrial trial(ChosenTransport chosen, JvmChoice choice, Phases phases, WindowStudy study, int loops) {
        Shape shape = window.shape(loops, study.keys());
        Load load = window.load(shape.instances());
        String transport = chosen.provider().name();
        TrialPlan plan = new TrialPlan(
                transport + "-" + study.state().name().toLowerCase(Locale.ROOT) + "-" + study.keys() + "-keys-" + loops
                        + "-loops",
                new Subject(Subject.BATON, transport, chosen.options()),
                shape,
                load,
                LoopOptions.checked(new LoopPlan(LoopPlan.COOPERATIVE + loops, null, 0)),
                phases,
                window.judged(phases),
                study,
                observers());
        String heap = WindowHeap.of(choice, study, load, phases, shape.instances());
        List<String> flags = new ArrayList<>();
        // What is collected here is moved into memory never touched before, which on a virtual machine waits twice.
        flags.add("-Xms" + heap);
        flags.add("-XX:+AlwaysPreTouch");
        flags.addAll(JvmFlags.forTrial(chosen.provider(), choice, heap));
        return new PlannedTrial(plan, choice.jvm(), flags, PlannedTrials.directoryOption(chosen), chosen.brokers());
    }

    private static double fileBytes(TrialPlan plan) {
        WindowStudy study = (WindowStudy) plan.study();
        double perSecond =
                plan.load().ratePerSecond() * plan.shape().instances() + study.keys() * study.stepsPerSecond();
        return perSecond * (plan.phases().warmupNanos() + plan.phases().measureNanos()) / 1e9 * ITEM_BYTES;
    }

    @Override
    public long seed() {
        return window.seed();
    }

    @Override
    public String nameOf(TrialPlan plan) {
        return WindowNames.inFull(plan);
    }

    @Override
    public String progressNameOf(TrialPlan plan) {
        return WindowNames.inFull(plan);
    }

    @Override
    public List<String> report(List<TrialResult> results, Path folder) {
        return WindowReport.lines(results, folder, console().terminal());
    }

    @Override
    public List<Figure> figures() {
        return new WindowKind().figures();
    }
}
