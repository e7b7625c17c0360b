package dev.baton.lab.study.selftest;

import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.data.HostActivity;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Chains over the faulty transport: generators, receivers and judge are those of every trial. Called by the trial's
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
    private final FaultyTransport transport;
    private List<String> foreignClasses;

    private SelftestWorkload(Instruments instruments, FaultyTransport transport) {
        super(instruments, transport);
        this.transport = transport;
        study = (SelftestStudy) instruments.plan().study();
    }

    /** Opens the workload of a plan with a {@link SelftestStudy}. */
    public static SelftestWorkload open(Instruments instruments) {
        return new SelftestWorkload(instruments, new FaultyTransport(instruments.plan(), instruments.window()));
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
                transport.sum(topic -> topic.isFirst, FaultyTopic::storedSequence),
                transport.sum(topic -> topic.isLast, topic -> topic.read),
                transport.sum(topic -> topic.isFirst, topic -> topic.bunched),
                transport.ofEachInstance(witness -> witness.disturbedNanos),
                transport.ofEachInstance(witness -> witness.worstNanos),
                foreignClasses);
    }
}
