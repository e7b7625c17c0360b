package dev.baton.measuring.machine;

import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Disturbance.Kind;
import dev.baton.measuring.data.GeneratorUse;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.HostActivity.Cause;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.machine.Evidence.Stop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * All instruments of the machine over one measured window: {@link #begin}, then {@link #sample} about once a second, {@link #end}, and
 * after the measurement {@link #result}. Confined to the thread that created it, whose work counts as that of an observer.
 */
public final class MachineWatch implements AutoCloseable {
    private static final int STALLS_SHOWN = 200;
    private static final double BUSY = 0.95;
    private static final double STOLEN = 0.02;
    private static final double FOREIGN_CORES = 0.1;
    private static final double NANOS_PER_MICRO = 1_000;

    /** The use of the machine between two samples; null where the system does not report it. */
    public record Sample(
            long endNanos,
            Double jvmCpuCores,
            Double brokerCpuCores,
            Double stealShare,
            Double busyShare,
            Double otherProcessesCores,
            Long residentBytes,
            long worstStallNanos) {
        /** Returns the cause of a stall that no safepoint explains, where the kernel does not count the time that a thread waits. */
        Cause causeOfStall() {
            return busyShare == null || busyShare < BUSY ? Cause.HOST : causeOfWait();
        }

        /** Returns the cause of a wait: the use of the cores while a thread of this process was ready and had none. */
        Cause causeOfWait() {
            if (stealShare != null && stealShare >= STOLEN) {
                return Cause.HOST;
            }
            boolean isForeign = otherProcessesCores != null
                    && otherProcessesCores >= FOREIGN_CORES
                    && (busyShare == null || busyShare >= BUSY || otherProcessesCores >= ownCores());
            return isForeign ? Cause.OTHER_PROCESSES : Cause.BUSY;
        }

        private double ownCores() {
            return Objects.requireNonNullElse(jvmCpuCores, 0.0) + Objects.requireNonNullElse(brokerCpuCores, 0.0);
        }
    }

    private final List<Thread> observers;
    private final HiccupProbe probe = HiccupProbe.anywhere();
    private final List<Sample> samples = new ArrayList<>();
    private final List<String> absent = new ArrayList<>();
    private final VmLog vmLog; // null: not watched
    private CounterReading.Watched watched;
    private CounterReading first;
    private CounterReading last;
    private CounterReading sampled;
    private List<String> log; // null until read, or when it cannot be
    private String unreadable; // null: every line of the log could be read
    private long windowNanos;
    private long messages;
    private long worstStallNanos;

    private MachineWatch(List<Long> brokerPids, boolean isWatching) {
        watched = new CounterReading.Watched(brokerPids, List.of(), List.of(), List.of());
        observers = isWatching ? List.of(Thread.currentThread(), probe.thread()) : List.of(Thread.currentThread());
        vmLog = isWatching ? VmLog.start(VmLog.PAUSES, "pauses of the JVM", absent) : null;
    }

    /** Starts the instruments, well before the window, so that their start is outside of it. */
    public static MachineWatch start(List<Long> brokerPids) {
        MachineWatch watch = new MachineWatch(brokerPids, true);
        watch.probe.start();
        return watch;
    }

    /** Starts a watch that reads the counters at both ends of the window, without a probe and without the JVM's log. */
    public static MachineWatch countingOnly(List<Long> brokerPids) {
        MachineWatch watch = new MachineWatch(brokerPids, false);
        watch.absent.add("stalls and pauses: measured without observers");
        return watch;
    }

    /** Sets processes that share the trial: they do not count as other processes. Before {@link #begin}. */
    public void siblings(List<Long> pids) {
        watched = new CounterReading.Watched(watched.brokers(), pids, watched.team(), watched.generators());
    }

    /** Sets processes that run a part of the chains: their use counts as this one's. Before {@link #begin}. */
    public void team(List<Long> pids) {
        watched = new CounterReading.Watched(watched.brokers(), watched.siblings(), pids, watched.generators());
        note(!pids.isEmpty(), "allocation, pauses and context switches of the services' own processes");
    }

    /**
     * Sets threads of this process that only generate load: their use is reported separately. Before {@link #begin}.
     *
     * @param tasks their numbers in the kernel
     */
    public void generators(List<Long> tasks) {
        watched = new CounterReading.Watched(watched.brokers(), watched.siblings(), watched.team(), tasks);
    }

    /** Adds a sentence for a figure that is not measured. */
    public void lacks(String text) {
        absent.add(text);
    }

    /**
     * Takes the readings of {@link #begin} and {@link #sample} once, and drops them. The first readings of a JVM load classes
     * and make its compilers work: 85 ms of CPU time and a collection with 950 chains over Chronicle on two cores, which lengthened
     * every response time of that moment. During the warm-up, and before {@link #begin}.
     */
    public void rehearse() {
        begin(System.nanoTime(), 0);
        sample();
        samples.clear();
        worstStallNanos = 0;
        first = null;
    }

    /**
     * Begins the window; rather a little before it than after, as all readings take some milliseconds.
     *
     * @param startNanos origin of the times in the results
     * @param messagesSoFar delivered
     */
    public void begin(long startNanos, long messagesSoFar) {
        windowNanos = startNanos;
        messages = -messagesSoFar;
        first = CounterReading.now(watched, observers, observerTasks());
        sampled = first;
        last = first;
        probe.takeWorst();
    }

    /** Takes a sample, about once a second. */
    public Sample sample() {
        CounterReading now = CounterReading.now(watched);
        CpuTicks ticks = now.ticks().since(sampled.ticks());
        long worst = probe.takeWorst();
        worstStallNanos = Math.max(worstStallNanos, worst);
        Sample sample = new Sample(
                now.nanos(),
                now.coresSince(sampled, CounterReading::jvmCpuNanos),
                now.coresSince(sampled, CounterReading::brokerCpuNanos),
                ticks.stealShare(),
                ticks.busyShare(),
                now.otherProcessesCoresSince(sampled),
                now.memory() == null ? null : now.memory().residentBytes(),
                worst);
        samples.add(sample);
        sampled = now;
        return sample;
    }

    /**
     * Ends the window.
     *
     * @param messagesSoFar delivered
     */
    public void end(long messagesSoFar) {
        messages += messagesSoFar;
        last = CounterReading.now(watched, observers, observerTasks());
        worstStallNanos = Math.max(worstStallNanos, probe.takeWorst());
    }

    private Set<Long> observerTasks() {
        return Set.copyOf(List.of(KernelThread.number(), probe.task()));
    }

    /** Returns the figures; takes a moment and allocates. */
    public Machine result() {
        Objects.requireNonNull(first, "begin comes first");
        Pauses pauses = pauses();
        Long allocated = last.since(first, CounterReading::allocatedBytes);
        GeneratorUse generator = last.generatorSince(first);
        Double program = last.coresSince(first, CounterReading::programCpuNanos);
        noteAbsent();
        return new Machine(
                last.coresSince(first, CounterReading::jvmCpuNanos),
                last.coresSince(first, CounterReading::brokerCpuNanos),
                allocated == null || messages <= 0 ? null : allocated / (double) messages,
                pauses == null ? null : pauses.collections(),
                pauses == null ? null : Pauses.sum(pauses.gcPauses()),
                pauses == null ? null : Pauses.worst(pauses.gcPauses(), Stop::nanos),
                pauses == null ? null : Pauses.sum(pauses.stops()),
                pauses == null ? null : Pauses.worst(pauses.stops(), Stop::nanos),
                pauses == null ? null : Pauses.worst(pauses.stops(), Stop::reachingNanos),
                last.since(first, CounterReading::contextSwitches),
                last.memory(),
                last.brokerMemory(),
                vmLog == null ? null : activity(worstStallNanos, stalls(pauses)),
                last.coresSince(first, CounterReading::observersCpuNanos),
                generator,
                program == null || generator == null
                        ? program
                        : Double.valueOf(Math.max(0, program - generator.cpuCores())),
                absent);
    }

    /**
     * Returns the kernel's counts of the window, without stalls, which is enough to determine the CPU time withheld. After {@link #end}.
     */
    public HostActivity counted() {
        return activity(0, List.of());
    }

    private HostActivity activity(long worstNanos, List<HostActivity.Stall> stalls) {
        CpuTicks ticks = last.ticks().since(first.ticks());
        return new HostActivity(
                ticks.stealShare(),
                ticks.worstStealShare(),
                ticks.busyShare(),
                last.otherProcessesCoresSince(first),
                last.runQueueSince(first, Cores.allowed(), Runtime.getRuntime().availableProcessors()),
                worstNanos,
                stalls);
    }

    /** The pauses in the JVM's log; null where there is no log, or an unreadable one, as figures of a part of it would be wrong. */
    private Pauses pauses() {
        log = vmLog == null ? null : vmLog.stop();
        return log == null ? null : read(log);
    }

    /** Parses lines; null where a line cannot be read, which {@link #failure} then returns. */
    Pauses read(List<String> lines) {
        Pauses pauses = Pauses.parse(lines, first.nanos(), last.nanos());
        if (pauses.unreadable() == null) {
            return pauses;
        }
        unreadable = unreadable(pauses.unreadable());
        absent.add("pauses of the JVM: " + unreadable);
        return null;
    }

    static String unreadable(String line) {
        return "the JVM's log has a line that cannot be read: '" + line + "'";
    }

    /** Returns the line of the JVM's log that cannot be read, which leaves pauses unknown; null for none. After {@link #result}. */
    public String failure() {
        return unreadable;
    }

    /**
     * All disturbances of the program since the window's beginning, in order of their beginnings: stops of the JVM to the nanosecond;
     * oversleeps of the probe from 1 ms on that no stop covers. A stall of the machine may begin up to 2 ms before the probe should have
     * woken up. After {@link #result}; takes a moment and allocates.
     */
    public List<Disturbance> disturbances() {
        if (vmLog == null) {
            return List.of();
        }
        long now = System.nanoTime();
        Pauses pauses = Pauses.parse(log == null ? List.of() : log, first.nanos(), now);
        List<Disturbance> all = new ArrayList<>();
        pauses.stops().forEach(stop -> all.add(ofStop(stop)));
        probe.stalls(first.nanos(), now).forEach(each -> {
            Cause cause = cause(each, log == null ? null : pauses);
            if (cause != Cause.JVM) {
                all.add(ofStall(cause, each.endNanos() - each.nanos() - windowNanos, each.nanos()));
            }
        });
        all.sort(Comparator.comparingLong(Disturbance::startNanos));
        return all;
    }

    private Disturbance ofStop(Stop stop) {
        return new Disturbance(
                stop.collectionNanos() > 0 ? Kind.GC : Kind.SAFEPOINT,
                stop.startNanos() - windowNanos,
                stop.nanos(),
                String.format(
                        Locale.ROOT, "%s, %.1f us to reach", stop.operation(), stop.reachingNanos() / NANOS_PER_MICRO));
    }

    /** A stall of the machine that no stop of the JVM covers. */
    private static Disturbance ofStall(Cause cause, long startNanos, long nanos) {
        return new Disturbance(
                cause == Cause.STOPPED ? Kind.STOPPED : cause.isForeign() ? Kind.HOST : Kind.BUSY,
                startNanos,
                nanos,
                switch (cause) {
                    case OTHER_PROCESSES -> "other processes had the cores";
                    case STOPPED -> "this process was stopped";
                    case BUSY -> "all cores busy with the trial itself";
                    case HOST, JVM -> "no process of this machine had the cores";
                });
    }

    private void noteAbsent() {
        note(last.jvmCpuNanos() == null, "CPU of the JVM: this JVM does not report it");
        note(
                !watched.brokers().isEmpty() && last.brokerCpuNanos() == null,
                "CPU of the broker: its processes are not visible");
        note(last.ticks().isAbsent(), "steal and load of the machine: no /proc/stat");
        note(last.memory() == null, "resident memory: no /proc/PID/status");
        note(last.threads() == null, "time that threads waited for a core: no /proc/PID/task/TID/schedstat");
        note(last.contextSwitches() == null, "context switches: no /proc/self/task");
        note(last.allocatedBytes() == null, "allocation: this JVM does not count it per thread");
    }

    private void note(boolean isAbsent, String text) {
        if (isAbsent) {
            absent.add(text);
        }
    }

    private List<HostActivity.Stall> stalls(Pauses pauses) {
        return probe.stalls(first.nanos(), last.nanos()).stream()
                .filter(each -> each.nanos() >= HiccupProbe.NOTABLE_NANOS)
                .sorted((one, other) -> Long.compare(other.nanos(), one.nanos()))
                .limit(STALLS_SHOWN)
                .map(each -> new HostActivity.Stall(each.endNanos() - windowNanos, each.nanos(), cause(each, pauses)))
                .toList();
    }

    private Cause cause(HiccupProbe.Stall stall, Pauses pauses) {
        long end = stall.endNanos();
        long half = stall.nanos() / 2;
        long paused = pauses == null ? 0 : Pauses.overlapNanos(pauses.stops(), end - stall.nanos(), end);
        if (paused > half) {
            return Cause.JVM;
        }
        if (!stall.isCounted()) {
            return second(end).map(Sample::causeOfStall).orElse(Cause.HOST);
        }
        if (stall.waitedNanos() >= half) {
            return second(end).map(Sample::causeOfWait).orElse(Cause.BUSY);
        }
        return pauses != null && stall.isOfStoppedProcess(paused) ? Cause.STOPPED : Cause.HOST;
    }

    /** The sample at a moment; the last one for a moment in the drain, and none when there are no samples. */
    private Optional<Sample> second(long nanos) {
        return samples.stream()
                .filter(sample -> sample.endNanos() - nanos >= 0)
                .findFirst()
                .or(() -> samples.stream().reduce((one, other) -> other));
    }

    @Override
    public void close() {
        if (vmLog != null) {
            probe.close();
            vmLog.close();
        }
    }
}
