package dev.baton.lab.study.density;

import dev.baton.lab.launch.PlannedTrial;
import dev.baton.operations.line.CommandException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One combination of transport, engine, threading and JVM, and what is known of its capacity. Confined to one thread. */
public final class Contender {
    /** Makes the trial of a step. */
    @FunctionalInterface
    public interface Planner {
        PlannedTrial plan(String id, Step step);
    }

    /** Why a search ended before its end. */
    public enum Stop {
        BUDGET,
        INTERRUPTED,
        REFUSED
    }

    private static final double FIRST_OVERHEAD_NANOS = 6e9;

    private final Name name;
    private final CapacitySearch search;
    private final Planner planner;
    private final MissingResource ceiling;
    private final boolean hasBroker;
    private final List<Measured> trials = new ArrayList<>();
    private double overheadNanos = FIRST_OVERHEAD_NANOS;
    private int overheadInstances = 1;
    private long waitedNanos;
    private Stop stop;
    private CommandException refusal;

    /**
     * What distinguishes it.
     *
     * @param threading as typed
     * @param jvm what sets its JVM apart from the others', empty when nothing does
     */
    public record Name(String transport, String engine, String threading, String jvm) {}

    /**
     * A contender without trials.
     *
     * @param ceiling what the machine lacks for more instances than the search may try; null when it was told where to end
     * @param hasBroker whether brokers of our own run beside it, which are watched
     */
    public Contender(Name name, CapacitySearch search, Planner planner, MissingResource ceiling, boolean hasBroker) {
        this.name = name;
        this.search = search;
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

    public Finding finding() {
        return search.finding();
    }

    /** In the order in which they ran. */
    public List<Measured> trials() {
        return List.copyOf(trials);
    }

    /** How long it waited for a quiet host: the time of the trials that the host disturbed. */
    public Duration waited() {
        return Duration.ofNanos(waitedNanos);
    }

    /** Null when the search came to its end. */
    public Stop stop() {
        return stop;
    }

    /** Why it was refused, if it was. */
    public CommandException refusal() {
        return refusal;
    }

    /** What keeps this machine from trying more; null when that is not known, or the reader drew the line. */
    public MissingResource ceiling() {
        return ceiling;
    }

    /**
     * Numbers that the answer rests on though no trial was long enough for a verdict that can be quoted: the one that holds
     * or the one that breaks or both, in order; mostly none.
     */
    public List<Integer> provisional() {
        Finding finding = finding();
        return Stream.of(finding.holds(), finding.breaks())
                .filter(instances -> isProvisional(instances, instances == finding.holds() ? Answer.PASS : Answer.FAIL))
                .toList();
    }

    private boolean isProvisional(int instances, Answer answer) {
        List<Measured> those = trials.stream()
                .filter(each -> each.step().instances() == instances && each.answer() == answer)
                .toList();
        return !those.isEmpty() && those.stream().allMatch(Measured::isProvisional);
    }

    boolean isOver() {
        return stop != null || search.next() == null;
    }

    PlannedTrial next(String id) {
        return planner.plan(id, search.next());
    }

    Step step() {
        return search.next();
    }

    /** How long a trial will take, with all that comes before and after it: as the last one did, in proportion. */
    double estimatedNanos(PlannedTrial trial) {
        double growth = Math.max(1, trial.plan().shape().instances() / (double) overheadInstances);
        return planned(trial) + overheadNanos * (trials.isEmpty() ? 1 : Math.sqrt(growth));
    }

    void enter(Measured measured, PlannedTrial trial, long tookNanos) {
        trials.add(measured);
        overheadNanos = Math.max(0, tookNanos - planned(trial));
        overheadInstances = trial.plan().shape().instances();
        waitedNanos += measured.isSpoiltByHost() ? tookNanos : 0;
        search.enter(measured.answer());
    }

    void stop(Stop why, CommandException because) {
        stop = why;
        refusal = because;
    }

    private static double planned(PlannedTrial trial) {
        return (double) trial.plan().phases().warmupNanos()
                + trial.plan().phases().measureNanos();
    }
}
