package dev.baton.lab.study.density;

import dev.baton.lab.command.JvmOptions;
import dev.baton.lab.command.OutputOptions;
import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.JvmFlags;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.search.CapacitySearch;
import dev.baton.measuring.machine.SystemLimits;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.TransportProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The common part of the searches of all contenders, and the creation of each contender within the limits of the machine. Immutable,
 * thread-safe.
 *
 * @param exploratory phases of exploratory trials
 * @param deciding phases of deciding trials, where the machine has room for them
 */
record Contenders(SearchOptions search, DensityLoadOptions load, Phases exploratory, Phases deciding) {
    private static final double NANOS = 1e9;
    private static final int MEGA_SHIFT = 20;
    /** Memory is preferred while it holds at least this part of what a disk would. */
    private static final double PREFERENCE = 0.5;

    /**
     * The first numbers of chains by transport: about a tenth of the chains of five services that two cores run at 1,000
     * messages a second; others begin at 1.
     */
    private static final Map<String, Integer> FIRST_GUESSES =
            Map.of("disruptor", 256, "aeron", 128, "chronicle", 64, "aeron-archive", 8, "kafka", 2);

    private static final double GUESSED_RATE = 1_000;

    private static final double GUESSED_CORES = 2;

    /** One to be: what will run, in which JVM, and what it needs. */
    record Entry(ChosenTransport chosen, String engine, LoopPlan loops, JvmOptions.Way way, ResourceModel needs) {
        String transport() {
            return chosen.provider().name();
        }
    }

    Entry entry(ChosenTransport chosen, String engine, LoopPlan loops, JvmOptions.Way way) {
        boolean isSplit = !loops.isCooperative();
        ResourceModel needs = ResourceModel.of(
                chosen.provider().topicFootprint(chosen.options()),
                chosen.brokers(),
                load.shape(1),
                load.load(),
                isSplit,
                search.processes());
        return new Entry(chosen, engine, loops, way, needs);
    }

    /** Returns the number of instances of an entry that a machine allows, at most the requested one; 0 for none. */
    int most(Entry entry, AvailableResources available) {
        int asked = search.max() == null ? search.mostInstances() : search.max();
        return entry.needs().most(available, seconds(exploratory), asked);
    }

    /**
     * Returns the available resources, with queues in the directory of the command line, else in memory, else in the directory for
     * temporary files.
     *
     * @param typed directory; null for none
     */
    AvailableResources available(Path typed, List<Entry> entries) {
        SystemLimits limits = SystemLimits.now();
        Path other = typed == null ? OutputOptions.temporary() : typed;
        Workspace.removeAbandoned(other);
        AvailableResources temporary = AvailableResources.with(limits, other);
        if (typed != null || !AvailableResources.hasSharedMemory()) {
            return temporary;
        }
        Workspace.removeAbandoned(AvailableResources.SHARED_MEMORY);
        AvailableResources memory = AvailableResources.with(limits, AvailableResources.SHARED_MEMORY);
        boolean hasRoom =
                entries.stream().allMatch(entry -> most(entry, memory) >= PREFERENCE * most(entry, temporary));
        return hasRoom ? memory : temporary;
    }

    /**
     * Creates the contender of an entry.
     *
     * @throws CommandException when the machine does not allow the requested numbers
     */
    Contender of(Entry entry, AvailableResources available) {
        int most = most(entry, available);
        Integer asked = search.max() != null ? search.max() : search.start();
        int wanted = asked == null ? 1 : asked;
        if (most < wanted) {
            throw CommandException.environment(entry.transport() + ": "
                    + shortage(entry, available, wanted).text(wanted));
        }
        AvailableResources.MissingResource ceiling =
                search.max() != null || most == Shape.MOST_INSTANCES ? null : shortage(entry, available, most + 1);
        int start =
                search.start() != null ? search.start() : start(entry.chosen().provider(), entry.engine(), load.load());
        return new Contender(
                new Contender.Name(
                        entry.transport(),
                        entry.engine(),
                        entry.loops().threading(),
                        entry.way().name()),
                new CapacitySearch(Math.min(start, most), most, search.step()),
                (id, step) -> plan(entry, available, id, step),
                ceiling,
                entry.chosen().needsBroker());
    }

    /** Returns the first number of a search: about a tenth of the capacity of a machine, so that few trials are spent far below it. */
    static int start(TransportProvider provider, String engine, Load load) {
        int guess = FIRST_GUESSES.getOrDefault(provider.name(), 1);
        int cores = Runtime.getRuntime().availableProcessors();
        double scaled = guess * GUESSED_RATE / load.ratePerSecond() * cores / GUESSED_CORES;
        return (int) Math.max(1, Math.min(guess * 8, engine.equals(Subject.BATON) ? Math.round(scaled) : 1));
    }

    private AvailableResources.MissingResource shortage(Entry entry, AvailableResources available, int instances) {
        return available.shortage(entry.needs().at(instances, seconds(exploratory)));
    }

    private PlannedTrial plan(Entry entry, AvailableResources available, String id, CapacitySearch.Step step) {
        int processes = Math.min(search.processes(), step.instances());
        Phases looking =
                processes == 1 ? exploratory.endingWhenBroken() : exploratory; // processes do not tell each other
        Phases phases = step.isDeciding() ? roomFor(entry, available, step.instances()) : looking;
        int share = (step.instances() + processes - 1) / processes;
        ResourceModel.RequiredResources required = entry.needs().ofOneProcess().at(share, seconds(phases));
        ChosenTransport chosen = entry.chosen();
        TrialPlan plan = new TrialPlan(
                id,
                new Subject(entry.engine(), entry.transport(), chosen.options()),
                load.shape(step.instances()),
                load.load(),
                entry.loops(),
                phases,
                limits(phases),
                null,
                Observers.UNTIMED);
        JvmChoice choice = entry.way().choice();
        String enough = megabytes(required.heapBytes());
        List<String> flags = new ArrayList<>();
        if (choice.heap() == null) {
            flags.add("-Xmn" + megabytes(required.youngBytes())); // before what was typed, which may say otherwise
        }
        flags.addAll(JvmFlags.forTrial(chosen.provider(), choice, enough));
        flags.addAll(JvmFlags.wholeHeap(choice.heapOr(enough)));
        flags.add("-XX:MaxDirectMemorySize=" + megabytes(required.directBytes()));
        return new PlannedTrial(
                plan,
                choice.jvm(),
                flags,
                PlannedTrials.directoryOption(chosen),
                chosen.brokers(),
                processes,
                false,
                null);
    }

    /** Returns phases as long as a verdict needs, or as the machine has room for the written messages. */
    private Phases roomFor(Entry entry, AvailableResources available, int instances) {
        Phases phases = deciding;
        while (phases.measureNanos() > exploratory.measureNanos()
                && available.shortage(entry.needs().at(instances, seconds(phases))) != null) {
            phases = phases.measuring(Math.max(exploratory.measureNanos(), phases.measureNanos() / 10 * 9));
        }
        return phases;
    }

    private List<Limit> limits(Phases phases) {
        double rate = load.recordedPerSecond();
        return search.limits().stream()
                .map(limit -> phases.measureNanos() >= limit.runForNanos(Limit.ENOUGH_SAMPLES, rate)
                        ? limit
                        : limit.judgedOn(DensityLoadOptions.LOOKING_SAMPLES))
                .toList();
    }

    private static double seconds(Phases phases) {
        return phases.sendingNanos() / NANOS;
    }

    private static String megabytes(long bytes) {
        return (bytes >> MEGA_SHIFT) + 1 + "m";
    }
}
