package dev.baton.lab.study.transit;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.command.EngineOptions;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.OutputOptions;
import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.command.Rehearsal;
import dev.baton.lab.command.TransportOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.command.load.ReadingOptions;
import dev.baton.lab.engines.PrimitiveQueue;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.density.AvailableResources;
import dev.baton.measuring.machine.SystemLimits;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.Console;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.IdleOption;
import dev.baton.operations.options.LoopOptions;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.spi.Frame;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code baton transit}: what one topic costs between one thread that writes and one that reads. */
@Command(
        name = "transit",
        sortOptions = false,
        defaultValueProvider = TransitCommand.Defaults.class,
        description = {
            "Measures one topic between two threads, one that writes and one that reads, over each transport, and a"
                    + " bare hand-over between two threads.",
            "",
            "Response times run from the intended send, in nanoseconds."
        })
public final class TransitCommand extends MeasuringCommand {
    private static final double MOST_OF_MEMORY = 0.5; // of a machine's memory, what files in it may take
    private static final long RINGED_PAYLOADS = 2 << 10; // A ring by default, and one more for the reference's events
    private static final int HEAP_MEGABYTES = 256;

    /** The defaults that differ from the commands with the same options. */
    static final class Defaults extends ChangedDefaults {
        public Defaults() {
            super(Map.of("--transport", "disruptor,chronicle,aeron", "--duration", "100s", "--idle", "spin"));
        }
    }

    @Mixin
    private TransportOptions transports;

    @Mixin
    private TransitOptions transit;

    @Mixin
    private IdleOption idle;

    @Mixin
    private EngineOptions engines;

    @Mixin
    private ReadingOptions reading;

    public TransitCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Plan plan(JvmChoice choice) {
        List<ChosenTransport> chosen =
                engines.over(transports.choose(bench().known()), choice.jvm().feature());
        LoopPlan threads = LoopOptions.checked(new LoopPlan(LoopPlan.PER_SERVICE, idle.words(), 0));
        List<String> names = engines.choose(chosen, threads);
        TransitStudy study = transit.study();
        Checks.require(
                study.cpus().isEmpty()
                        || chosen.stream()
                                .noneMatch(
                                        each -> each.provider() instanceof PrimitiveQueue queue && queue.isVirtual()),
                "--pin binds threads of the system, which queues with -virtual have none of; omit it, or name other queues");
        Phases phases = transit.phases();
        int payload = transit.sizeBytes() - Frame.HEADER_BYTES;
        Load load = transit.load();
        List<ChosenTransport> roomy =
                chosen.stream().map(each -> each.withRoomFor(payload)).toList();
        List<PlannedTrial> trials = new PlannedTrials(
                        new Shape(0, 1, payload),
                        reading.of(load, names),
                        threads,
                        phases,
                        observers(),
                        choice,
                        HEAP_MEGABYTES + (RINGED_PAYLOADS * payload >> 20) + "m")
                .of(roomy, names).stream().map(trial -> trial.asking(study)).toList();
        long bytes = diskBytes(load.ratePerSecond(), transit.sizeBytes(), phases);
        long writers = chosen.stream().filter(ChosenTransport::writesHere).count();
        return new Plan(
                trials,
                EngineOptions.inRunningOrder(trials, seed()),
                roomy,
                payload,
                output().isKept() ? writers * bytes * names.size() : Math.min(1, writers) * bytes);
    }

    /** Bytes that the messages of one trial take in files, generously. */
    private static long diskBytes(double ratePerSecond, int sizeBytes, Phases phases) {
        double frames = phases.sendingNanos() / 1e9 * ratePerSecond;
        return (long) (frames * (sizeBytes + 88)) + (1 << 20);
    }

    /** Returns a directory in memory where there is one with room, so that no disk is measured. */
    @Override
    public Path directory(long diskBytes) {
        Workspace.removeAbandoned(AvailableResources.SHARED_MEMORY);
        boolean hasRoom = AvailableResources.hasSharedMemory()
                && AvailableResources.SHARED_MEMORY.toFile().getUsableSpace() >= diskBytes
                && diskBytes <= MOST_OF_MEMORY * SystemLimits.now().memoryBytes();
        return hasRoom ? AvailableResources.SHARED_MEMORY : OutputOptions.temporary();
    }

    @Override
    public Rehearsal.Size size() {
        return new Rehearsal.Size("--size", Frame.HEADER_BYTES);
    }

    @Override
    public List<String> report(List<TrialResult> results, Path folder) {
        return TransitReport.lines(results, folder, console().terminal());
    }
}
