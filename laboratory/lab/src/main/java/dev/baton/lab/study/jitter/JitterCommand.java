package dev.baton.lab.study.jitter;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.command.CourseOptions;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.command.load.ArrivalOptions;
import dev.baton.lab.engines.Pause;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.JvmFlags;
import dev.baton.lab.launch.jvm.JvmProbe;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code baton jitter}: what the JVM and the machine do to two threads that hand over nothing but the time. */
@Command(
        name = "jitter",
        sortOptions = false,
        defaultValueProvider = JitterCommand.Defaults.class,
        description = "Measures the delays between two threads over a ring of the Disruptor, with and without the JVM's"
                + " guaranteed safepoints, and determines the causes of the worst.")
public final class JitterCommand extends MeasuringCommand {
    private static final String HEAP = "256m";
    private static final Duration QUICK_WARMUP = Duration.ofSeconds(3);
    private static final Duration QUICK_DURATION = Duration.ofSeconds(20);
    private static final int CORES_FOR_PINNING = 2;

    /** It runs three times as long as the other commands. */
    static final class Defaults extends ChangedDefaults {
        public Defaults() {
            super(Map.of("--duration", "100s"));
        }
    }

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "10000",
            description = {"messages per second (default: 10000)", "such as 10000 or 20k"})
    private BigDecimal rate;

    @Mixin
    private ArrivalOptions arrivals;

    @Mixin
    private CourseOptions course;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--idle",
            paramLabel = "HOW",
            defaultValue = "spin",
            description = "idle strategy of the two threads: spin, yielding or park:TIME (default: spin)")
    private String idle;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--pin",
            description = {"bind each of the two threads to its own core", "the first two cores"})
    private boolean isPinned;

    @OptionGroup(Heading.JVM)
    @Option(
            names = "--safepoints",
            paramLabel = "WHICH",
            split = ",",
            description = {
                "interval of guaranteed safepoints of each run",
                "default (of the JVM), off, on (1s), or a time such as 100ms (default: two runs, one with the JVM's default, and one with off if that is an interval, otherwise on)"
            })
    private List<String> safepoints = List.of();

    @OptionGroup(Heading.OUTPUT)
    @Option(
            names = "--worst",
            paramLabel = "N",
            defaultValue = "20",
            description = {"worst events to list (default: 20)", "1 to " + JitterStudy.MOST_WORST})
    private BigDecimal worst;

    @Spec
    private CommandSpec own;

    public JitterCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Plan plan(JvmChoice choice) {
        Load load = arrivals.of(course.load(rate));
        LoopPlan loops = Checks.allowed("", () -> {
            Pause.check(idle);
            return new LoopPlan(LoopPlan.PER_SERVICE, idle, 0);
        });
        Phases phases = course.phases(own, QUICK_WARMUP, QUICK_DURATION);
        int listed = Checks.integer("--worst", worst, JitterStudy.LEAST_WORST, JitterStudy.MOST_WORST);
        if (isPinned && Runtime.getRuntime().availableProcessors() < CORES_FOR_PINNING) {
            throw CommandException.environment("--pin needs two cores, there is one; omit it");
        }
        List<SafepointInterval> typed =
                safepoints.stream().map(SafepointInterval::parse).distinct().toList();
        Long defaultMillis = defaultMillis(choice);
        List<PlannedTrial> trials = intervals(typed, defaultMillis).stream()
                .map(interval -> {
                    TrialPlan plan = new TrialPlan(
                            "safepoints-" + interval.words(),
                            new Subject(Subject.REFERENCE, "disruptor", Map.of()),
                            new Shape(1, 1, 0),
                            load,
                            loops,
                            phases,
                            List.of(),
                            new JitterStudy(interval.words(), defaultMillis, listed, isPinned, course.isQuick()),
                            observers());
                    List<String> flags = new ArrayList<>(JvmFlags.withoutTransport(choice, HEAP));
                    flags.addAll(interval.flags());
                    return new PlannedTrial(plan, choice.jvm(), flags, null, 0);
                })
                .toList();
        return new Plan(trials, trials, List.of(), 0, 0);
    }

    /** Returns the default interval in milliseconds; null when this JVM has none. */
    private static Long defaultMillis(JvmChoice choice) {
        String value = JvmProbe.flag(choice, SafepointInterval.FLAG);
        return value == null || !value.matches("\\d{1,18}") ? null : Long.valueOf(value);
    }

    private static List<SafepointInterval> intervals(List<SafepointInterval> typed, Long defaultMillis) {
        if (defaultMillis == null && typed.stream().anyMatch(each -> each.millis() != null)) {
            throw CommandException.environment("this JVM has no " + SafepointInterval.FLAG
                    + ", so its safepoints cannot be suppressed; omit --safepoints, or use a HotSpot JVM");
        }
        if (!typed.isEmpty()) {
            return typed;
        }
        return defaultMillis == null
                ? List.of(SafepointInterval.parse(SafepointInterval.DEFAULT))
                : SafepointInterval.both(defaultMillis);
    }

    @Override
    public List<String> report(List<TrialResult> results, Path folder) {
        return JitterReport.lines(results, folder, console().terminal());
    }
}
