package dev.baton.lab.reporting;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.results.Grade;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.GeneratorUse;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Percentile;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The remarks that a reader needs before quoting a figure of the table. Stateless, thread-safe. */
public final class Remarks {
    /** Remark on exploratory trials. */
    public static final String PROVISIONAL = "provisional (--quick): short trials, do not quote their figures";

    private static final double HIGHEST_SHOWN = 99.99;

    /** The part of all cores that other processes may use, or of the trial's CPU time that they may take, without a remark. */
    private static final double MAX_OTHER_PROCESSES = 0.1;

    /** The part of the trial's CPU time that is named where other processes took it. */
    private static final double LEAST_TAKEN = 0.01;

    /** Disturbed trials that have a line each. */
    private static final int MOST_DISTURBED = 4;

    /** The part of the time that a generator with a free core waits for it, and that its host withholds, stays below this. */
    private static final double FREE_CORE = 0.01;

    /** Describes a chain whose services run in separate JVMs, to follow other facts. */
    public static final String EACH_SERVICE = ", each service in its own JVM";

    private Remarks() {}

    /** Returns the remark that trials are exploratory; none where none is. */
    public static List<String> onProvisional(List<TrialResult> trials) {
        boolean isAny = trials.stream().anyMatch(trial -> trial.plan().phases().isProvisional());
        return isAny ? List.of(PROVISIONAL) : List.of();
    }

    /**
     * Returns the remarks that counts of messages, unlike times, begin with the first message, and that lost messages have a latency.
     */
    public static List<String> onCounts(List<TrialResult> trials) {
        boolean hasWarmup =
                trials.stream().anyMatch(trial -> trial.plan().phases().warmupNanos() > 0);
        List<String> remarks = new ArrayList<>();
        if (hasWarmup) {
            remarks.add("sent and delivered include the warm-up; times and rates do not.");
        }
        if (trials.stream().anyMatch(trial -> trial.delivery().lost() > 0)) {
            remarks.add(
                    "A lost message counts in percentiles and max as if it had arrived at the deadline of the drain.");
        }
        return remarks;
    }

    /** Returns the duration of a run with enough samples for all percentiles; empty when they have enough. */
    public static List<String> onSamples(List<TrialResult> trials, Paint paint) {
        return onSamples(trials, HIGHEST_SHOWN, paint);
    }

    /** Returns the duration of a run with enough samples for the percentiles up to this one. */
    public static List<String> onSamples(List<TrialResult> trials, double highestShown, Paint paint) {
        Map<Double, Long> needed = new TreeMap<>();
        for (TrialResult trial : trials) {
            for (Percentile each : trial.response().percentiles()) {
                if (each.hasFewSamples() && each.nanos() != null && each.percentile() <= highestShown) {
                    needed.merge(each.percentile(), each.runForNanos(), Math::max);
                }
            }
        }
        if (needed.isEmpty()) {
            return List.of();
        }
        String shown = paint.isColoured() ? "Grey figures" : "Figures in parentheses";
        String reachable = needed.entrySet().stream()
                .filter(entry -> entry.getValue() <= Phases.MOST_NANOS)
                .map(entry -> "--duration " + Units.typedUp(entry.getValue()) + " to know "
                        + ResultTable.name(entry.getKey()))
                .collect(Collectors.joining(", "));
        return List.of(shown + " have fewer than 100 samples above them; "
                + (reachable.isEmpty() ? "at this rate more take longer than a day" : "run for " + reachable) + ".");
    }

    /** Returns the meaning of the mark of late response times; empty when none has it. */
    public static List<String> onLateSends(List<TrialResult> trials) {
        boolean isAnyLate = trials.stream()
                .flatMap(trial -> trial.response().percentiles().stream())
                .anyMatch(Percentile::isSenderLate);
        return isAnyLate
                ? List.of("*: more than a tenth of this response time is the delay of the sender;"
                        + " service times begin at the send.")
                : List.of();
    }

    /** Returns the meaning of the mark of late response times, and generators without a free core; empty at saturation. */
    public static List<String> onGenerators(List<TrialResult> trials) {
        List<TrialResult> open = trials.stream()
                .filter(trial -> !trial.plan().load().isSaturated())
                .toList();
        List<String> lines = new ArrayList<>(onLateSends(open));
        TrialNames names = TrialNames.among(trials);
        for (TrialResult trial : open) {
            lines.addAll(onCrowdedGenerator(names.of(trial), trial));
        }
        return lines;
    }

    /** A generator that had no core to itself. */
    private static List<String> onCrowdedGenerator(String name, TrialResult trial) {
        GeneratorUse use = trial.machine() == null ? null : trial.machine().generator();
        if (use == null) {
            return List.of();
        }
        HostActivity host = trial.machine().host();
        double steal = host == null || host.stealShare() == null ? 0 : host.stealShare();
        double waited = use.runQueueShare() == null ? 0 : use.runQueueShare();
        return waited < FREE_CORE && steal < FREE_CORE
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "%s: the sender waited for a core for %.1f %% of the time, and the host withheld %.1f %%.",
                        name,
                        100 * waited,
                        100 * steal));
    }

    /** Returns the time of writing the messages of provided chains; empty without any. */
    public static List<String> onMessages(List<TrialResult> trials) {
        TrialNames names = TrialNames.among(trials);
        List<String> lines = new ArrayList<>();
        for (TrialResult trial : trials) {
            if (trial.plan().shape().chain() == null || trial.rate().writingNanos() == null) {
                continue;
            }
            lines.add(names.of(trial) + ": the chain's generator took "
                    + Units.time(Math.round(trial.rate().writingNanos())) + " for each message.");
        }
        return lines;
    }

    /** Returns the remark that columns under different guarantees are not to be ranked. */
    public static List<String> onPromises(List<TrialResult> trials) {
        long promises = trials.stream()
                .map(trial -> List.of(
                        List.copyOf(trial.transport().guarantees()),
                        trial.transport().properties().getOrDefault("durability", "")))
                .distinct()
                .count();
        return promises < 2 ? List.of() : List.of("The columns have different guarantees (below): do not rank them.");
    }

    /** Returns the remark that systems are measured as a whole, beside chains with services; empty where either is absent. */
    public static List<String> onSystems(List<TrialResult> trials) {
        TrialNames names = TrialNames.among(trials);
        String systems = trials.stream()
                .filter(trial -> trial.plan().subject().engine().equals(Subject.SYSTEM))
                .map(names::of)
                .distinct()
                .collect(Collectors.joining(", "));
        int services = trials.stream()
                .filter(trial -> !trial.plan().subject().engine().equals(Subject.SYSTEM))
                .mapToInt(trial -> trial.plan().shape().services())
                .max()
                .orElse(0);
        return systems.isEmpty() || services == 0
                ? List.of()
                : List.of(systems + ": no services, one way from trySend to onMessage; the chains beside it have "
                        + Units.counted(services, "service") + ". 'transit' compares it with a single topic.");
    }

    /** Returns the remark that some rows are primitive queues and no transports. */
    public static List<String> onPrimitiveTrials(List<TrialResult> trials) {
        List<String> queues = trials.stream()
                .map(trial -> trial.plan().subject())
                .filter(each -> each.engine().equals(Subject.PRIMITIVE))
                .map(Subject::transport)
                .distinct()
                .toList();
        return queues.isEmpty()
                ? List.of()
                : List.of(String.join(", ", queues)
                        + (queues.size() == 1
                                ? ": a primitive queue, no transport"
                                : ": primitive queues, no transports")
                        + ". Nothing in them is stored, acknowledged or replayed, and no other process reads them.");
    }

    /** Returns the remark that other processes used so much of the machine that they affect the figures. */
    public static List<String> onOtherProcesses(List<TrialResult> trials) {
        return onOtherProcesses(trials, TrialNames.among(trials)::of);
    }

    /** Returns the remarks on other processes during trials that repeat each other, by their ids. */
    public static List<String> onOtherProcessesById(List<TrialResult> trials) {
        return onOtherProcesses(trials, trial -> trial.plan().id());
    }

    /** Returns the remarks on other processes by the report's names of trials; for many trials one line about all. */
    public static List<String> onOtherProcesses(List<TrialResult> trials, Function<TrialResult, String> names) {
        List<TrialResult> disturbed =
                trials.stream().filter(Remarks::isDisturbed).toList();
        if (disturbed.size() <= MOST_DISTURBED) {
            return disturbed.stream()
                    .map(trial -> "disturbed: while " + names.apply(trial) + " was measured, other processes used "
                            + Units.percent(othersCores(trial)) + " of a core"
                            + taken(byOthers(trial), "")
                            + "; repeat it on a quiet machine")
                    .toList();
        }
        DoubleSummaryStatistics cores =
                disturbed.stream().mapToDouble(Remarks::othersCores).summaryStatistics();
        double most = disturbed.stream().mapToDouble(Remarks::byOthers).max().orElse(0);
        return List.of("disturbed: while " + disturbed.size() + " of " + trials.size()
                + " trials were measured, other processes used " + Units.percent(cores.getMin()) + " to "
                + Units.percent(cores.getMax()) + " of a core" + taken(most, "up to ")
                + "; repeat them on a quiet machine");
    }

    private static String taken(double byOthers, String prefix) {
        return byOthers < LEAST_TAKEN
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", and took %s%.0f %% of the CPU time that the trial requested",
                        prefix,
                        100 * byOthers);
    }

    /** Returns whether other processes took so much of the machine that the figures are theirs, too. */
    public static boolean isDisturbed(TrialResult trial) {
        return othersCores(trial) > MAX_OTHER_PROCESSES * trial.environment().processors()
                || byOthers(trial) > MAX_OTHER_PROCESSES;
    }

    private static double othersCores(TrialResult trial) {
        HostActivity host = trial.machine() == null ? null : trial.machine().host();
        return host == null || host.otherProcessesCores() == null ? 0 : host.otherProcessesCores();
    }

    private static double byOthers(TrialResult trial) {
        HostActivity host = trial.machine() == null ? null : trial.machine().host();
        return host == null ? 0 : host.withheld().byOthers();
    }

    /** Returns the remark on threads that never release their core and outnumber the cores. */
    public static List<String> onOversubscription(List<TrialResult> trials) {
        TrialNames names = TrialNames.among(trials);
        List<String> remarks = new ArrayList<>();
        for (TrialResult trial : trials) {
            int spinning = spinningThreads(trial.plan().loops(), trial.plan().shape());
            int cores = trial.environment().processors();
            if (spinning > cores) {
                remarks.add(String.format(
                        Locale.ROOT,
                        "oversubscribed: %s ran %,d spinning threads on %d cores; they wait for each other",
                        names.of(trial),
                        spinning,
                        cores));
            }
        }
        return remarks;
    }

    /** Describes the payloads and keys of messages: a length, or the most and the distribution. */
    public static String onPayload(Shape shape) {
        boolean isMost = shape.chain() != null || shape.sizes() != null;
        return (isMost ? "up to " : "")
                + Units.bytes(shape.payloadBytes())
                + (shape.sizes() == null ? "" : " (" + shape.sizes() + ")")
                + (shape.keys() == null ? "" : ", " + shape.keys());
    }

    /** Describes the threads of the chains, and the JVM. */
    public static String onEngine(TrialResult trial) {
        LoopPlan loops = trial.plan().loops();
        TrialEnvironment.Jvm jvm = trial.environment().jvm();
        String budget = loops.latencyBudgetNanos() > 0
                ? ", latency budget " + Units.typed(Duration.ofNanos(loops.latencyBudgetNanos()))
                : "";
        Load load = trial.plan().load();
        String generator = load.isSentFromThread() ? ", sender with a thread of its own" : ", sender on the loops";
        String engine = trial.plan().subject().engine();
        return (engine.equals(Subject.SYSTEM)
                        ? "system " + trial.plan().subject().transport() + " with threads of its own"
                        : "engine " + engine + ", " + loops.threading()
                                + (load.isNone() ? "" : ", idle " + loops.idle()))
                + processes(trial)
                + budget
                + (loops.batch() > 0 ? ", batch " + Units.count(loops.batch()) : "")
                + (load.isSaturated() || load.isNone() ? "" : generator)
                + "; " + jvm.vendor() + " " + jvm.version() + ", " + collector(jvm) + ", heap "
                + Units.bytes(jvm.maxHeapBytes());
    }

    /** Describes the JVMs in which a chain runs; empty for one. */
    private static String processes(TrialResult trial) {
        return trial.place().spread() != null
                ? EACH_SERVICE
                : trial.place().meeting() != null && trial.place().meeting().processes() > 1
                        ? ", in " + trial.place().meeting().processes() + " JVMs"
                        : "";
    }

    /**
     * The last lines of a report: the engines of the trials, a line for each engine; the machine; the files.
     *
     * @param names of the trials, which begin the lines if there are several
     */
    public static List<String> onRun(
            List<TrialResult> trials, Function<TrialResult, String> names, Path folder, int width) {
        Map<String, String> engines = trials.stream()
                .collect(Collectors.toMap(
                        Remarks::onEngine, names, (one, other) -> one + "; " + other, LinkedHashMap::new));
        List<String> lines = new ArrayList<>();
        engines.forEach((engine, own) ->
                lines.addAll(Wrapped.lines((engines.size() > 1 ? own : "run") + ": ", engine, width)));
        lines.addAll(onMachine(trials.get(0).environment(), folder, width));
        lines.add("files: " + folder);
        return lines;
    }

    /** The machine of an experiment, and the grade that it got; without a grade where the experiment keeps none. */
    public static List<String> onMachine(TrialEnvironment machine, Path folder, int width) {
        List<String> lines = new ArrayList<>(Wrapped.lines("machine: ", onMachine(machine), width));
        Grade grade = grade(folder);
        if (grade != null) {
            lines.addAll(Wrapped.lines("machine grade " + grade.letter(), onGrade(grade), width));
        }
        return lines;
    }

    private static Grade grade(Path folder) {
        try {
            return new ResultFolder(folder).readExperiment().grade();
        } catch (IOException none) {
            return null; // a report of trials without their experiment
        }
    }

    /** Describes the findings that lowered the grade. */
    private static String onGrade(Grade grade) {
        String worst = grade.findings().stream()
                .filter(each -> grade.letter().equals(each.letter()))
                .map(Grade.Finding::what)
                .collect(Collectors.joining("; "));
        return (worst.isEmpty() ? "" : ": " + worst) + "; the command doctor explains it";
    }

    /** The machine in one line, and what its figures are worth. */
    public static String onMachine(TrialEnvironment machine) {
        List<String> parts = new ArrayList<>();
        parts.add(machine.cpuModel() == null ? "unknown processor" : machine.cpuModel());
        parts.add(machine.processors() + (machine.processors() == 1 ? " core" : " cores"));
        if (machine.memoryBytes() > 0) {
            parts.add(Units.bytes(machine.memoryBytes()));
        }
        if (machine.kernel() != null) {
            parts.add(machine.kernel());
        }
        if (machine.clockSource() != null) {
            parts.add("clock " + machine.clockSource());
        }
        String line = String.join(", ", parts);
        return machine.virtualisation().isEmpty()
                ? line
                : line + "; shared or virtual (" + String.join(", ", machine.virtualisation()) + "): relative only";
    }

    /** Returns the collector by the name that its flag has. */
    public static String collector(TrialEnvironment.Jvm jvm) {
        String first = jvm.collectors().isEmpty() ? "unknown" : jvm.collectors().get(0);
        return first.startsWith("PS ")
                ? "Parallel"
                : first.equals("Copy") || first.equals("MarkSweepCompact") ? "Serial" : first.replaceAll(" .*", "");
    }

    private static int spinningThreads(LoopPlan loops, Shape shape) {
        boolean isSpinning = loops.idle().equals("spin") || loops.idle().equals("yielding");
        if (!isSpinning) {
            return 0;
        }
        String threading = loops.threading();
        if (threading.startsWith("cooperative:")) {
            return Integer.parseInt(threading.substring("cooperative:".length()));
        }
        return (shape.services() + 2) * shape.chains(); // one more for the source, one for the sink
    }
}
