package dev.baton.engine;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.StartReport;
import dev.baton.partitions.Partitions.PartitionChange;
import dev.baton.run.Environment;
import dev.baton.spi.PartitionGroup.PartitionListener;
import dev.baton.spi.errors.TransportException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The partitions that run in this process. Opens, closes and abandons the chain of each partition as it is assigned and
 * revoked. Partitions are opened and closed by one thread at a time; everything else is thread-safe.
 */
public final class AssignedPartitions implements PartitionListener {
    private final String chain;
    private final Environment environment;
    private final Function<Consumer<Throwable>, IntFunction<ChainRun>> opening;
    private final RestartingPartitions restarting; // null if a failed partition is not restarted
    private final Consumer<? super PartitionChange> onPartition;
    private volatile Consumer<? super Throwable> onFailure;
    private final Map<Integer, ChainRun> running = new ConcurrentSkipListMap<>();
    private final AtomicReference<Throwable> firstFailure = new AtomicReference<>();
    private final AtomicReference<Throwable> lastFailure = new AtomicReference<>();
    private volatile Duration revokeTimeout;
    private volatile boolean isCutOff; // since the last call of revokeTimeout

    /**
     * Creates an instance without partitions.
     *
     * @param opening starts the chain of a partition, given the callback for its failure
     * @param restarting restarts failed partitions; null if they are not restarted
     */
    public AssignedPartitions(
            String chain,
            Environment environment,
            Function<Consumer<Throwable>, IntFunction<ChainRun>> opening,
            Consumer<? super PartitionChange> onPartition,
            Consumer<? super Throwable> onFailure,
            RestartingPartitions restarting,
            Duration revokeTimeout) {
        this.chain = chain;
        this.environment = environment;
        this.opening = opening;
        this.restarting = restarting;
        this.onPartition = onPartition;
        this.onFailure = onFailure == null ? cause -> ChainState.log(chain, cause) : onFailure;
        this.revokeTimeout = revokeTimeout;
    }

    public Map<Integer, ChainRun> running() {
        return running;
    }

    /** Returns the first failure of a partition or of the membership; null if there is none. */
    public Throwable failure() {
        return firstFailure.get();
    }

    /** Returns the time limit for draining in-flight messages of revoked partitions. */
    public Duration revokeTimeout() {
        return revokeTimeout;
    }

    /** Sets the time limit for draining in-flight messages of revoked partitions. */
    public void revokeTimeout(Duration limit) {
        revokeTimeout = limit;
        isCutOff = false;
    }

    /** Returns whether a partition was closed with undelivered in-flight messages since {@link #revokeTimeout}. */
    public boolean isCutOff() {
        return isCutOff;
    }

    /**
     * Opens partitions and waits until the states of their services are restored. If this throws, the partitions that are
     * open remain open.
     */
    void start(List<Integer> partitions) {
        StartReport report = new StartReport(chain, onFailure);
        onFailure = report;
        partitions.forEach(this::open);
        for (int partition : partitions) { // all of them restore their states concurrently
            if (restarting == null) {
                running.get(partition).awaitRestored();
            } else {
                restarting.of(partition).awaitRestored();
            }
        }
        report.started();
    }

    private void open(int partition) {
        if (restarting == null) {
            running.put(partition, opening.apply(this::report).apply(partition));
        } else {
            try {
                restarting(partition).start();
            } catch (Throwable refused) {
                restarting.end(Set.of(partition), revokeTimeout);
                throw refused;
            }
        }
        tell(partition, PartitionChange.Kind.ASSIGNED);
    }

    private RestartingChain restarting(int partition) {
        return restarting.add(partition, failed -> opening.apply(failed).apply(partition), this::report, run -> {
            if (run == null) {
                running.remove(partition);
            } else {
                running.put(partition, run);
            }
        });
    }

    @Override
    public void assigned(Set<Integer> partitions) {
        for (int partition : new TreeSet<>(partitions)) {
            try {
                assigned(partition);
            } catch (Throwable failure) {
                report(failure);
            }
        }
    }

    private void assigned(int partition) {
        if (restarting == null) {
            open(partition);
        } else {
            restarting(partition).begin();
            tell(partition, PartitionChange.Kind.ASSIGNED);
        }
    }

    /** Closes the partitions together, so that a stalled one does not use up the time limit of the others. */
    @Override
    public void revoked(Set<Integer> partitions) {
        long deadline = environment.nanoTime() + revokeTimeout.toNanos();
        Set<Integer> standing = Set.of();
        if (restarting != null) {
            restarting.beginEnd(partitions);
            Set<Integer> closed = close(partitions, deadline); // before the wait for openings in progress
            standing = restarting.end(partitions, left(deadline));
            standing.removeAll(closed);
        }
        close(partitions, deadline);
        for (int partition : standing) {
            isCutOff = true;
            tell(partition, PartitionChange.Kind.CUT_OFF);
        }
    }

    private Duration left(long deadlineNanos) {
        return Duration.ofNanos(Math.max(0, deadlineNanos - environment.nanoTime()));
    }

    /** Closes and removes the runs of these partitions; returns the partitions that had one. */
    private Set<Integer> close(Set<Integer> partitions, long deadlineNanos) {
        Map<Integer, ChainRun> given = new TreeMap<>(running);
        given.keySet().retainAll(partitions);
        Closing.together(given.values(), left(deadlineNanos).toNanos(), environment);
        given.forEach((partition, chain) -> {
            boolean isDrained = chain.wasDrained();
            running.remove(partition);
            isCutOff |= !isDrained;
            tell(partition, isDrained ? PartitionChange.Kind.REVOKED : PartitionChange.Kind.CUT_OFF);
        });
        return given.keySet();
    }

    @Override
    public void lost(Set<Integer> partitions) {
        Set<Integer> left = new TreeSet<>(partitions);
        if (restarting != null) {
            restarting.beginEnd(partitions);
            abandon(left); // before the wait for openings in progress
            Set<Integer> standing = restarting.end(partitions, revokeTimeout);
            standing.retainAll(left);
            standing.forEach(partition -> tell(partition, PartitionChange.Kind.LOST));
        }
        abandon(left);
    }

    /** Abandons the runs of these partitions, and removes the partitions that had one. */
    private void abandon(Set<Integer> partitions) {
        partitions.removeIf(partition -> {
            ChainRun lost = running.get(partition);
            if (lost == null) {
                return false;
            }
            lost.abandon();
            running.remove(partition);
            tell(partition, PartitionChange.Kind.LOST);
            return true;
        });
    }

    @Override
    public void failed(TransportException cause) {
        report(cause);
    }

    /** Reports each failure once, even if it affects several partitions. */
    void report(Throwable cause) {
        if (lastFailure.getAndSet(cause) == cause) {
            return;
        }
        firstFailure.compareAndSet(null, cause);
        ChainState.report(chain, onFailure, cause);
    }

    private void tell(int partition, PartitionChange.Kind kind) {
        try {
            onPartition.accept(new PartitionChange(partition, kind));
        } catch (Throwable thrown) { // the other partitions have to be released as well
            System.getLogger("dev.baton")
                    .log(Level.WARNING, "chain " + chain + ": its partition listener threw " + thrown, thrown);
        }
    }
}
