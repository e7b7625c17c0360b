package dev.baton.engine;

import dev.baton.engine.chain.ChainState;
import dev.baton.partitions.Partitions;
import dev.baton.run.Environment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The partitions in this process that are opened again when they fail, each independently. Changed by one thread at a time. */
public final class RestartingPartitions {
    private static final long LONGEST_NANOS = 1L << 61;

    private final ChainStart start;
    private final Partitions partitions; // null if a group assigns the partitions, so that no topic decides
    private final Restarter restarter;
    private final Map<Integer, RestartingChain> chains = new ConcurrentSkipListMap<>();
    private volatile int endedRestarts; // of partitions that have been ended
    private volatile Throwable endedFailure; // newest one of these partitions; null for none

    public RestartingPartitions(ChainStart start, Partitions partitions) {
        this.start = start;
        this.partitions = partitions;
        this.restarter = new Restarter(start.name(), start.loops().environment());
    }

    /**
     * Adds a partition, which is not open yet.
     *
     * @param onStopped called with the failure after which it is not restarted
     * @param onRun called with each run when it is open, and with null when the run is closed after a failure
     */
    RestartingChain add(
            int partition, RestartingChain.Opening opening, Consumer<Throwable> onStopped, Consumer<ChainRun> onRun) {
        String decidingTopic = partitions == null ? null : partitions.topic(start.decidingTopic(), partition);
        RunSettings settings = start.settings();
        RestartingChain added = new RestartingChain(
                new ChainState(
                        start.name(),
                        settings.instance,
                        partition,
                        onStopped,
                        settings.listener,
                        restarter.environment()),
                false,
                opening,
                settings.restarts.attempts(decidingTopic, start.writesDecidingTopic()),
                start.writesDecidingTopic() ? decidingTopic : null,
                onRun,
                restarter);
        chains.put(partition, added);
        return added;
    }

    /** Returns a partition that was added and has not been ended. */
    RestartingChain of(int partition) {
        return chains.get(partition);
    }

    /** Returns the numbers of the partitions. */
    public Set<Integer> all() {
        return chains.keySet();
    }

    /** Returns the number of restarts of all partitions so far, including those that have been ended. */
    int restarts() {
        return endedRestarts
                + chains.values().stream().mapToInt(RestartingChain::restarts).sum();
    }

    /** Returns the last failure of a partition that is here, or else of one that was; null if there was none. */
    Throwable lastFailure() {
        return newest(chains.values().stream()).orElse(endedFailure);
    }

    private static Optional<Throwable> newest(Stream<RestartingChain> of) {
        return of.filter(each -> each.lastFailure() != null)
                .max((one, other) -> Long.signum(one.failedNanos() - other.failedNanos()))
                .map(RestartingChain::lastFailure);
    }

    /** Returns the last failure of a partition that is to be opened again; null if there is no such partition. */
    public Throwable restartingAfter() {
        for (RestartingChain each : chains.values()) {
            if (each.isRestarting()) {
                return each.lastFailure();
            }
        }
        return null;
    }

    /** Ends the restarts of these partitions without a wait for openings in progress. {@link #end} follows. */
    void beginEnd(Set<Integer> ending) {
        chains.forEach((partition, chain) -> {
            if (ending.contains(partition)) {
                chain.beginClosing();
            }
        });
    }

    /**
     * Ends the restarts of these partitions; returns those without a run to be closed. Waits for openings in progress, in a
     * group for all of them, because another member takes over topics that this one still writes.
     */
    Set<Integer> end(Set<Integer> ending, Duration limit) {
        Environment environment = restarter.environment();
        long limitNanos = partitions == null ? LONGEST_NANOS : limit.toNanos() + SectionRemoval.CALL_NANOS;
        long deadlineNanos = environment.nanoTime() + limitNanos;
        Set<Integer> without = new TreeSet<>();
        beginEnd(ending);
        for (int partition : ending) {
            RestartingChain chain = chains.get(partition);
            if (chain != null && chain.end(deadlineNanos) == null) {
                without.add(partition);
            }
        }
        List<RestartingChain> ended =
                ending.stream().map(chains::get).filter(Objects::nonNull).toList();
        endedFailure = newest(ended.stream()).orElse(endedFailure);
        endedRestarts += ended.stream().mapToInt(RestartingChain::restarts).sum();
        chains.keySet().removeAll(ending);
        return without;
    }
}
