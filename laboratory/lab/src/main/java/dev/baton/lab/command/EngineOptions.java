package dev.baton.lab.command;

import dev.baton.lab.engines.PrimitiveQueue;
import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.systems.ForeignSystem;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The engines of the messages, and the order of their trials: options that every comparing command shares. */
public final class EngineOptions {
    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--engine",
            paramLabel = "NAME",
            defaultValue = Subject.BATON,
            description = {
                "what is measured: baton or another (default: baton)",
                "reference-cooperative: hand-written loops on the library itself, with the threads, batches, idle strategy and pacing of Baton, and without its guarantees",
                "reference: the same with a thread per service",
                "reference-article (chronicle and kafka): the loops of the published density study",
                "primitive (chain and transit): bare queues between the threads instead of a transport, without guarantees, one row for each kind of queue",
                "primitive:NAME: only jctools-spsc, agrona-ring, array-blocking-queue, linked-transfer-queue or synchronous-queue; append -virtual to one of the last three for virtual threads (JDK 21+)",
                "system:NAME: a system of a jar in BATON_CLASSPATH, which has its own threads; 'baton systems' lists them",
                "several, separated by commas, are interleaved in a seeded random order"
            })
    private String names;

    @Option(
            names = ForeignSystem.OPTION,
            paramLabel = "KEY=VALUE",
            description =
                    "an option of the systems that --engine names; KEY=env:NAME takes its value from the environment"
                            + " (repeatable)")
    private List<String> systemSettings = new ArrayList<>();

    /**
     * Returns the subjects of the engines: the transports, unless no engine needs one, and the primitive queues and systems
     * that they name.
     *
     * @param feature version of the oldest JVM in which they will run
     * @throws CommandException for a queue or a system that is unknown, or that the JVM cannot run
     */
    public List<ChosenTransport> over(List<ChosenTransport> transports, int feature) {
        List<ChosenTransport> all = new ArrayList<>();
        if (typed().anyMatch(engine -> !PrimitiveQueue.isMeant(engine) && !ForeignSystem.isMeant(engine))) {
            all.addAll(transports);
        }
        try {
            typed().filter(PrimitiveQueue::isMeant)
                    .flatMap(engine -> PrimitiveQueue.meant(engine, feature).stream())
                    .distinct()
                    .forEach(queue -> all.add(new ChosenTransport(queue, Map.of(), 0)));
        } catch (UnsupportedOperationException missing) {
            throw CommandException.environment(missing.getMessage(), missing);
        } catch (IllegalArgumentException refused) {
            throw CommandException.usage(refused.getMessage(), refused);
        }
        all.addAll(ForeignSystem.chosen(typed().filter(ForeignSystem::isMeant), systemSettings));
        return all;
    }

    /**
     * Returns the subjects of the engines as {@link #over} does, for a command that does not measure primitive queues.
     *
     * @throws CommandException for a primitive queue, too
     */
    public List<ChosenTransport> overTransports(List<ChosenTransport> transports, int feature) {
        Checks.require(
                typed().noneMatch(PrimitiveQueue::isMeant),
                "--engine " + names + ": only chain and transit measure primitive queues; omit them");
        return over(transports, feature);
    }

    private Stream<String> typed() {
        return Arrays.stream(names.split(",", -1)).map(String::trim);
    }

    /**
     * The engines that were asked for, in that order, each once.
     *
     * @param over as {@link #over} has it
     * @throws CommandException for a name that is not known, and for an engine that cannot run a transport or idle as asked
     */
    public List<String> choose(List<ChosenTransport> over, LoopPlan loops) {
        List<String> engines = typed().map(EngineOptions::engine).distinct().toList();
        for (String engine : engines) {
            for (ChosenTransport each : over) {
                if (ReferenceEngine.isOver(engine, each.provider())) {
                    Subject subject = new Subject(engine, each.provider().name(), Map.of());
                    Checks.allowed("", () -> {
                        ReferenceEngine.check(subject, loops);
                        return subject;
                    });
                }
            }
        }
        return engines;
    }

    private static String engine(String typed) {
        return PrimitiveQueue.isMeant(typed)
                ? Subject.PRIMITIVE
                : ForeignSystem.isMeant(typed) ? Subject.SYSTEM : typed;
    }

    /** Returns the trials in the order in which they run: as planned for one engine, drawn from the seed for several. */
    public static List<PlannedTrial> inRunningOrder(List<PlannedTrial> trials, long seed) {
        long engines = trials.stream()
                .map(trial -> trial.plan().subject().engine())
                .distinct()
                .count();
        return engines == 1 ? trials : shuffled(trials, seed);
    }

    /** Returns the trials in an order drawn from the seed. */
    public static List<PlannedTrial> shuffled(List<PlannedTrial> trials, long seed) {
        List<PlannedTrial> order = new ArrayList<>(trials);
        Collections.shuffle(order, new Random(seed));
        return order;
    }
}
