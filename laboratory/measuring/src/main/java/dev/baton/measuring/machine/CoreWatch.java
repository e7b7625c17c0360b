package dev.baton.measuring.machine;

import dev.baton.measuring.machine.Evidence.Oversleep;
import dev.baton.measuring.machine.Evidence.Probed;
import dev.baton.measuring.machine.Evidence.Slice;
import dev.baton.measuring.machine.Evidence.Stop;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * All instruments that explain why a thread did not run: a hiccup probe pinned to each core, the kernel's counters of the threads, and the
 * JVM's log of stops and compilations. Confined to the thread that started it.
 */
public final class CoreWatch implements AutoCloseable {
    /** Fifty readings a second, of a dozen small files each; their cost is measured, see {@link Evidence#cpuCores}. */
    public static final long PERIOD_NANOS = 20_000_000;

    /**
     * The sleep of each core's probe: it causes a tenth of the wake-ups of the probe for the whole machine, as on a core with a spinning
     * thread every wake-up interrupts that thread.
     */
    public static final long PROBE_SLEEP_NANOS = 20_000_000;

    /** The shortest oversleep that a probe reports. */
    private static final long NOTABLE_NANOS = 100_000;

    private final List<HiccupProbe> probes = new ArrayList<>();
    private final List<String> absent = new ArrayList<>();
    private final KernelWatch kernel;
    private final VmLog vmLog;
    private final List<Thread> threads = new ArrayList<>();
    private long startNanos;
    private Long cpuNanos;

    private CoreWatch(List<Long> tasks) {
        vmLog = VmLog.start(VmLog.PAUSES_AND_COMPILATIONS, "safepoints and compilations", absent);
        kernel = new KernelWatch(tasks, PERIOD_NANOS);
        for (int core : Cores.ofThisThread()) {
            probes.add(new HiccupProbe(core, PROBE_SLEEP_NANOS, NOTABLE_NANOS));
        }
        probes.forEach(each -> threads.add(each.thread()));
        threads.add(kernel.thread());
    }

    /**
     * Starts a watch.
     *
     * @param tasks threads to watch individually, by the kernel's numbers, as {@link KernelThread#number} returns them
     */
    public static CoreWatch start(List<Long> tasks) {
        CoreWatch watch = new CoreWatch(tasks);
        watch.probes.forEach(HiccupProbe::start);
        watch.kernel.start();
        watch.startNanos = System.nanoTime();
        watch.cpuNanos = Jvm.cpuNanos(watch.threads);
        return watch;
    }

    /** Ends the watch and returns its evidence; once. Takes a moment and allocates. */
    public Evidence stop() {
        long endNanos = System.nanoTime();
        Long used = Jvm.cpuNanos(threads);
        List<Slice> slices = kernel.stop();
        probes.forEach(HiccupProbe::close);
        absent.addAll(kernel.absent());
        List<String> log = vmLog.stop();
        List<Stop> stops = Stop.parse(Objects.requireNonNullElse(log, List.of()), startNanos, endNanos);
        List<Oversleep> oversleeps = new ArrayList<>();
        List<Probed> cores = new ArrayList<>();
        for (HiccupProbe probe : probes) {
            oversleeps.addAll(probe.oversleeps(startNanos, endNanos, log == null ? null : stops));
            Probed all = probe.probed();
            cores.add(all);
            if (all.count() == 0) {
                absent.add("hiccups of core " + all.core() + ": its probe could not be pinned");
            }
        }
        Double cpuCores = used == null || cpuNanos == null
                ? null
                : Double.valueOf((used - cpuNanos) / (double) Math.max(1, endNanos - startNanos));
        return new Evidence(
                startNanos,
                endNanos,
                stops,
                Evidence.Compilation.parse(Objects.requireNonNullElse(log, List.of())),
                oversleeps,
                slices,
                cores,
                cpuCores,
                absent);
    }

    /** Ends what is still running. Idempotent. */
    @Override
    public void close() {
        kernel.stop();
        probes.forEach(HiccupProbe::close);
        vmLog.close();
    }
}
