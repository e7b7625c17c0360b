package dev.baton.lab.study.density;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.search.CapacitySearch;
import dev.baton.lab.search.CapacitySearch.Finding;
import dev.baton.lab.search.Search;
import dev.baton.operations.line.ExitCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** One combination of transport, engine, threading and JVM, and what is known of its capacity. Confined to one thread. */
public final class Contender extends Search {
    private static final int LONGEST_SLUG = 80;
    private static final double FIRST_OVERHEAD_NANOS = 6e9;

    private final Name name;
    private final BiFunction<String, CapacitySearch.Step, PlannedTrial> planner;
    private final AvailableResources.MissingResource ceiling;
    private final boolean hasBroker;
    private final List<Measured> trials = new ArrayList<>();
    private double overheadNanos = FIRST_OVERHEAD_NANOS;
    private int overheadInstances = 1;
    private long waitedNanos;

    /**
     * The name of a contender.
     *
     * @param threading as given on the command line
     * @param jvm distinct properties of its JVM, empty for none
     */
    public record Name(String transport, String engine, String threading, String jvm) {}

    /**
     * Creates a contender without trials.
     *
     * @param planner creates the trial of a step with a name
     * @param ceiling resource that the machine lacks for more instances; null when the command line sets the end
     * @param hasBroker whether our own brokers run with it, which are watched
     */
    public Contender(
            Name name,
            CapacitySearch search,
            BiFunction<String, CapacitySearch.Step, PlannedTrial> planner,
            AvailableResources.MissingResource ceiling,
            boolean hasBroker) {
        super(search);
        this.name = name;
        this.planner = planner;
        this.ceiling = ceiling;
        this.hasBroker = hasBroker;
    }

    public Name name() {
        return name;
    }

    public boolean hasBroker() {
        return hasBroker;
    }

    /** {@return the trials in their order} */
    public List<Measured> trials() {
        return List.copyOf(trials);
    }

    /** {@return the last trial} */
    Measured last() {
        return trials.get(trials.size() - 1);
    }

    /** {@return the time of waiting for a quiet host: the time of the trials that the host disturbed} */
    public Duration waited() {
        return Duration.ofNanos(waitedNanos);
    }

    /**
     * {@return the resource that limits the number of instances on this machine; null when it is unknown, or the command line sets the
     * limit}
     */
    public AvailableResources.MissingResource ceiling() {
        return ceiling;
    }

    /**
     * Numbers that the answer rests on though no trial was long enough for a verdict that can be quoted: the one that holds
     * or the one that breaks or both, in order; mostly none.
     */
    public List<Integer> provisional() {
        Finding finding = finding();
        return Stream.of(finding.holds(), finding.breaks())
                .filter(instances ->
                        isProvisional(instances, instances == finding.holds() ? Verdict.PASS : Verdict.FAIL))
                .toList();
    }

    private boolean isProvisional(int instances, Verdict verdict) {
        List<Measured> those = trials.stream()
                .filter(each -> each.step().instances() == instances && each.verdict() == verdict)
                .toList();
        return !those.isEmpty() && those.stream().allMatch(Measured::isVerdictProvisional);
    }

    /**
     * {@return the exit code for its end}
     *
     * @param isQuick whether the command line asks for exploratory trials, so that an answer may be provisional
     */
    int exitCode(boolean isQuick) {
        if (refusal() != null) {
            return ExitCode.of(refusal());
        }
        Finding.End end = finding().end();
        if (stop() != null || end == null || end == Finding.End.INCONCLUSIVE) {
            return ExitCode.INCONCLUSIVE;
        }
        if (!isQuick && !provisional().isEmpty()) {
            return ExitCode.INCONCLUSIVE;
        }
        return end == Finding.End.NONE ? ExitCode.FAILED : ExitCode.OK;
    }

    @Override
    public PlannedTrial next(int number) {
        CapacitySearch.Step step = search.next();
        String words = name.transport() + "-" + name.engine() + "-" + name.threading()
                + (name.jvm().isEmpty() ? "" : "-" + name.jvm());
        String slug = words.replaceAll("[^A-Za-z0-9.-]+", "-");
        String id = String.format(
                Locale.ROOT,
                "%03d-%s-n%d",
                number,
                slug.substring(0, Math.min(LONGEST_SLUG, slug.length())),
                step.instances());
        return planner.apply(id, step);
    }

    /** Estimates in proportion to the last trial. */
    @Override
    public double estimatedNanos(PlannedTrial trial) {
        double growth = Math.max(1, trial.plan().shape().instances() / (double) overheadInstances);
        return trial.plan().phases().sendingNanos() + overheadNanos * (trials.isEmpty() ? 1 : Math.sqrt(growth));
    }

    @Override
    public boolean enter(PlannedTrial trial, FinishedTrial finished, long tookNanos) {
        Measured measured = new Measured(search.next(), finished);
        trials.add(measured);
        overheadNanos = Math.max(0, tookNanos - trial.plan().phases().sendingNanos());
        overheadInstances = trial.plan().shape().instances();
        waitedNanos += measured.isSpoiltByHost() ? tookNanos : 0;
        search.enter(measured.verdict(), measured.busyShare(), measured.limitShare());
        return true;
    }
}
