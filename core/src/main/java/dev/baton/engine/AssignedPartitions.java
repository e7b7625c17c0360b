package dev.baton.engine;

import dev.baton.partitions.PartitionChange;
import dev.baton.run.Environment;
import dev.baton.spi.PartitionListener;
import dev.baton.spi.TransportException;
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
 * The partitions that run in this process: opens, closes and abandons the chain of each as they come and go. Partitions are
 * opened and closed by one thread at a time; everything else is thread-safe.
 */
public final class AssignedPartitions implements PartitionListener {
    private final String chain;
    private final Environment environment;
    private final Function<Consumer<Throwable>, IntFunction<ChainRun>> opening;
    private final RestartingPartitions restarting; // null: a partition that failed stays as it is
    private final Consumer<? super PartitionChange> onPartition;
    private final Consumer<? super Throwable> onFailure;
    private final Map<Integer, ChainRun> running = new ConcurrentSkipListMap<>();
    private final AtomicReference<Throwable> firstFailure = new AtomicReference<>();
    private final AtomicReference<Throwable> lastFailure = new AtomicReference<>();
    private volatile Duration revokeTimeout;
    private volatile boolean isCutOff; // since the limit was said last

    /**
     * Holds no partition yet.
     *
     * @param opening starts the chain of a partition, given the listener to its failure
     * @param restarting opens partitions again; null: none are
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
        this.onFailure = onFailure == null ? this::log : onFailure;
        this.revokeTimeout = revokeTimeout;
    }

    public Map<Integer, ChainRun> running() {
        return running;
    }

    /** What failed first: a partition, or the membership. Null while all is well. */
    public Throwable failure() {
        return firstFailure.get();
    }

    /** From here on partitions have this long to pass on what is in hand. */
    public void revokeTimeout(Duration limit) {
        revokeTimeout = limit;
        isCutOff = false;
    }

    /** Whether a partition went with messages in hand since {@link #revokeTimeout}. */
    public boolean isCutOff() {
        return isCutOff;
    }

    /** Opens partitions and waits until their services have their states, or throws; what is open then stays so. */
    void start(List<Integer> partitions) {
        partitions.forEach(this::open);
        for (int partition : partitions) { // all of them restore their states meanwhile
            if (restarting == null) {
                running.get(partition).awaitRestored();
            } else {
                restarting.of(partition).awaitRestored();
            }
        }
    }

    private void open(int partition) {
        if (restarting == null) {
            running.put(partition, opening.apply(this::report).apply(partition));
        } else {
            try {
                restarting(partition).start();
            } catch (RuntimeException | Error refused) {
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
            } catch (RuntimeException | Error failure) {
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

    /** All of them together, so that one that stands still costs the others nothing of their time. */
    @Override
    public void revoked(Set<Integer> partitions) {
        Set<Integer> standing = restarting == null ? Set.of() : restarting.end(partitions, revokeTimeout);
        Map<Integer, ChainRun> given = new TreeMap<>(running);
        given.keySet().retainAll(partitions);
        Closing.together(given.values(), revokeTimeout.toNanos(), environment);
        given.forEach((partition, chain) -> {
            boolean isDrained = chain.wasDrained();
            running.remove(partition);
            isCutOff |= !isDrained;
            tell(partition, isDrained ? PartitionChange.Kind.REVOKED : PartitionChange.Kind.CUT_OFF);
        });
        for (int partition : standing) {
            isCutOff = true;
            tell(partition, PartitionChange.Kind.CUT_OFF);
        }
    }

    @Override
    public void lost(Set<Integer> partitions) {
        if (restarting != null) {
            restarting.end(partitions, revokeTimeout).forEach(partition -> tell(partition, PartitionChange.Kind.LOST));
        }
        for (int partition : new TreeSet<>(partitions)) {
            ChainRun lost = running.get(partition);
            if (lost != null) {
                lost.abandon();
                running.remove(partition);
                tell(partition, PartitionChange.Kind.LOST);
            }
        }
    }

    @Override
    public void failed(TransportException cause) {
        report(cause);
    }

    /** Reports each failure once, however many of its partitions it met. */
    void report(Throwable cause) {
        if (lastFailure.getAndSet(cause) == cause) {
            return;
        }
        firstFailure.compareAndSet(null, cause);
        try {
            onFailure.accept(cause);
        } catch (RuntimeException | Error thrown) { // other partitions need the thread that reports this
            System.getLogger("dev.baton")
                    .log(Level.WARNING, "chain " + chain + ": its failure listener threw " + thrown);
            log(cause);
        }
    }

    private void log(Throwable cause) {
        System.getLogger("dev.baton").log(Level.ERROR, "chain " + chain + ": " + cause.getMessage(), cause);
    }

    private void tell(int partition, PartitionChange.Kind kind) {
        try {
            onPartition.accept(new PartitionChange(partition, kind));
        } catch (RuntimeException thrown) {
            report(thrown);
        }
    }
}
