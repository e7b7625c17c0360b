package dev.baton.lab.study.selftest;

import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.systems.SystemRig;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.operations.settings.Subject;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Chains over the faulty transport, or a user's system with faults: generators, receivers and judge are those of every trial. Called by the trial's
 * thread alone.
 */
public final class SelftestWorkload extends ChainWorkload {
    /** The reported use of the remaining CPU time. */
    private static final double BUSY_OF_REST = 0.8;

    /** Number of the trial's threads that are planted as waiting at a time, while one core was taken. */
    private static final int WAITING_THREADS = 5;

    /** Classes of the transports that users choose from, and of their libraries. */
    private static final Pattern TRANSPORTS = Pattern.compile(
            "\\b(?:dev\\.baton\\.(?:chronicle|disruptor|kafka)|net\\.openhft|com\\.lmax|org\\.apache\\.kafka)"
                    + "\\.[\\w.$]+");

    private final SelftestStudy study;
    private final Planted planted;
    private List<String> foreignClasses;

    private SelftestWorkload(Instruments instruments, SelftestStudy study, FaultyTransport transport) {
        super(instruments, transport);
        this.study = study;
        planted = transport;
    }

    private SelftestWorkload(Instruments instruments, SelftestStudy study, ChainRig rig, Planted planted) {
        super(instruments, rig);
        this.study = study;
        this.planted = planted;
    }

    /** The observations of what carries out the faults, independent of the measurement. Read after all threads have ended. */
    interface Planted {
        /** Messages of the generators, warm-up included. */
        long sent();

        /** Messages for the receivers, copies included. */
        long handedOut();

        /** Measured messages that were sent less than a quarter of an interval after the one before. */
        long bunched();

        /** A sum over the witnesses of each instance's threads. */
        List<Long> ofEachInstance(ToLongFunction<Witness> figure);
    }

    /** Opens the workload over the faulty transport, or over a user's system. */
    static SelftestWorkload open(Instruments instruments, SelftestStudy study) {
        if (!instruments.plan().subject().engine().equals(Subject.SYSTEM)) {
            return new SelftestWorkload(
                    instruments, study, new FaultyTransport(instruments.plan(), study, instruments.window()));
        }
        AtomicReference<FaultInjector> injector = new AtomicReference<>();
        SystemRig rig = new SystemRig(instruments.trial(), system -> {
            injector.set(new FaultInjector(system, instruments.plan(), study, instruments.window()));
            return injector.get();
        });
        return over(rig, opened -> new SelftestWorkload(instruments, study, opened, injector.get()));
    }

    @Override
    public void measureBeside(BooleanSupplier isOver) {
        foreignClasses = loadedTransports();
    }

    /** Returns the transports that this JVM has loaded, as its own diagnostic command lists them; null when it does not report them. */
    private static List<String> loadedTransports() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            Object said = server.invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "vmClassHierarchy",
                    new Object[] {new String[] {"-i"}},
                    new String[] {String[].class.getName()});
            return TRANSPORTS
                    .matcher(String.valueOf(said))
                    .results()
                    .map(found -> found.group())
                    .distinct()
                    .sorted()
                    .toList();
        } catch (JMException | RuntimeException absent) {
            return null;
        }
    }

    /** Judges by the planted activity of the host, if the plan has one. */
    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        return super.judge(stopped, interruption, finalCounts, total, robbed(study, host));
    }

    /** Returns the activity with the planted steal time, or the planted load of others, in place of the kernel's figures. */
    static HostActivity robbed(SelftestStudy study, HostActivity host) {
        if (host == null || (study.stolenShare().isEmpty() && study.takenShare().isEmpty())) {
            return host;
        }
        double stolen = study.stolenShare().orElse(0);
        double taken = study.takenShare().orElse(0);
        return new HostActivity(
                stolen,
                stolen,
                (1 - stolen) * BUSY_OF_REST,
                taken,
                new HostActivity.RunQueue(1 - taken, WAITING_THREADS * taken, taken),
                0,
                List.of());
    }

    @Override
    public Findings findings() {
        return new SelftestFindings(
                ProcessHandle.current().pid(),
                planted.sent(),
                planted.handedOut(),
                planted.bunched(),
                planted.ofEachInstance(witness -> witness.disturbedNanos),
                planted.ofEachInstance(witness -> witness.worstNanos),
                foreignClasses);
    }
}
