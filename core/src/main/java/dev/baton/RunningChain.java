package dev.baton;

import dev.baton.engine.Closing;
import dev.baton.run.Limits;
import dev.baton.status.ChainStatus;
import dev.baton.status.ChainStatus.ChainHealth;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A running chain, tap or merge, with all its partitions in this process, started by {@link Deployment#start}. Closing it stops
 * its input, delivers the messages in its topics, waits until these are stored and acknowledged, and releases everything.
 * Thread-safe; with manual loops confined to the thread that turns them.
 *
 * <p>A chain with a {@link Deployment#restart restart policy} is closed and opened again when it fails, on a thread that is not
 * a loop. Each run creates new services and continues from the positions in the topics, as after a restart of the process. A
 * {@link Source} and the output handler are the same objects in all runs.
 */
public interface RunningChain extends AutoCloseable {
    /** The time that {@link #close()} allows for messages in progress. */
    Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    /**
     * {@return the inlet for one thread, the same at each call} It remains usable across restarts. While the chain restarts
     * there is no room: {@code tryClaim} returns null; {@code send}, {@code batch} and {@code sequence} wait for at most
     * {@link Deployment#sendWithin}.
     *
     * <p>Messages that were sent but not stored ({@link Inlet#storedSequence}) when a run failed may be lost, and the next
     * messages reuse their sequences: after a restart {@link Inlet#sequence} returns the end of the topic. A claim
     * that was open at the failure cannot be committed; the messages of an open batch may or may not be stored. If the
     * transport fails while {@code send} hands a message over, {@code send} throws {@link ChainFailedException}, and the message may or may not
     * be stored. Once the chain has stopped permanently, every call throws this exception.
     *
     * @throws IllegalStateException if the chain has another inlet already, is fed by a source, reads topics of other
     *     chains, as taps and merges do, has several partitions ({@link #sharedInlet}, {@link #inlet(int)}), or is closed
     */
    Inlet inlet();

    /**
     * Opens the inlet for any number of threads, which remains usable across restarts. While the chain restarts it takes messages
     * until {@code capacity} of them wait; the next run sends them, in order. May block within {@link
     * Deployment#openWithin}.
     *
     * <p>If a run fails, a message that was sent and is not known to be stored may be lost. {@link SharedInlet#offerStored}
     * reports this: its future completes with a {@link ChainFailedException} that names the failure, although the chain
     * continues. {@link SharedInlet#offer} cannot report it. Once the chain is closed or has stopped permanently, no
     * message is accepted, and all pending futures complete.
     *
     * <p>With partitions, the key of a message selects its partition, each partition has {@code capacity} places of its own,
     * and what is stated above for a chain applies to each partition. If the topic of a partition cannot be opened, this
     * method throws, and the next call continues with that partition.
     *
     * @param capacity number of messages that may wait for the loop, in each partition, 1 to 16,777,216
     * @return the inlet; a chain has one at most
     * @throws IllegalStateException if the chain has another inlet already, is fed by a source, reads topics of other chains,
     *     is a member of a group, as it does not have all partitions, or is closed
     */
    SharedInlet sharedInlet(int capacity);

    /**
     * Opens the chain's shared inlet for requests whose replies come from the last topic. May block within {@link
     * Deployment#openWithin}.
     *
     * <p>With an output handler in this process, the part that calls it also reads the replies. Without one, which takes a
     * durable transport, an {@linkplain dev.baton.spi.ObservingConsumer observing} consumer of each partition reads them from
     * now on; it stores no progress, and if retention overruns it or the transport fails, all requests fail. With {@link
     * dev.baton.Deployment#resends}, requests and replies of earlier runs are read back first; if that fails, this method may
     * be called again. Set {@link dev.baton.Deployment#only} to ask a chain whose services run in other processes.
     *
     * @param <Q> the requests
     * @param <R> the replies
     * @param requestCodec codec of requests; many threads need a thread-safe one
     * @param replyCodec codec of the last topic's messages
     * @param mostOpen maximum number of open requests, 1 to 16,777,216; also the capacity of the shared inlet
     * @return the requests; a chain has them once
     * @throws IllegalStateException as {@link #sharedInlet}, or without an output handler on a transport that is not durable
     */
    <Q, R> Requests<Q, R> requests(Serde<Q> requestCodec, Serde<R> replyCodec, int mostOpen);

    /**
     * Opens requests of which {@value Requests#DEFAULT_OPEN} may be open, as {@link #requests(Serde, Serde, int)}.
     *
     * @param <Q> the requests
     * @param <R> the replies
     * @param requestCodec codec of requests; many threads need a thread-safe one
     * @param replyCodec codec of the last topic's messages
     * @return the requests; a chain has them once
     */
    default <Q, R> Requests<Q, R> requests(Serde<Q> requestCodec, Serde<R> replyCodec) {
        return requests(requestCodec, replyCodec, Requests.DEFAULT_OPEN);
    }

    /**
     * {@return the inlet of one partition for one thread, the same at each call} For a sender that selects the partition itself,
     * such as with {@link dev.baton.partitions.Partitions#partitionOf}. The inlets of all partitions belong to the first
     * thread that uses one of them, unless partitions restart. Otherwise as {@link #inlet()}.
     *
     * @param partition 0 to one less than the number of partitions
     * @throws IllegalStateException without partitions, if the chain has a shared inlet, or in a member of a group, as it does
     *     not have all partitions: senders run without being a member
     */
    Inlet inlet(int partition);

    /** {@return whether the chain has partitions} */
    default boolean isPartitioned() {
        return false;
    }

    /** {@return the numbers of the partitions that run here now, including failed ones; empty for a chain without partitions} */
    default Set<Integer> held() {
        return Set.of();
    }

    /**
     * {@return the sequence of the first message that the first part receives: the one after the last acknowledged message, or
     * the oldest that the topic held at the start, which over the Disruptor is the oldest in the ring} Empty if the transport
     * does not report it before the message arrives, if no part that reads runs here, and for partitions.
     */
    OptionalLong firstSequence();

    /**
     * {@return the status of the chain and of each of its parts, of all partitions that run here; while the chain restarts,
     * without parts and with the failure that caused the restart} Queries the loops, which respond between two sweeps, at
     * no other cost. Waits for at most {@link ChainStatus#PATIENCE}. With manual loops, call it on the thread that turns
     * them.
     */
    ChainStatus status();

    /**
     * {@return {@link #status()}, or the result of an earlier call of this method} For monitors that read one figure after the
     * other.
     *
     * @param maxAge maximum age of an earlier result
     */
    ChainStatus status(Duration maxAge);

    /**
     * {@return the status of each partition that runs here, including those that have failed or restart, by its number;
     * empty for a chain without partitions}
     */
    default Map<Integer, ChainStatus> statuses() {
        return Map.of();
    }

    /**
     * {@return {@link #statuses()}, or the result of an earlier call of this method}
     *
     * @param maxAge maximum age of an earlier result
     */
    default Map<Integer, ChainStatus> statuses(Duration maxAge) {
        return statuses();
    }

    /** {@return the chain's health, as of {@link #status()}} */
    default ChainHealth health() {
        return status().health();
    }

    /**
     * {@return the failure that stopped the chain permanently; empty if there was none} With partitions, the first failure:
     * of a partition, after which only that one stops, or of the membership, after which no partition runs here.
     */
    Optional<Throwable> failure();

    /** {@return the last failure that stopped a run or prevented it from opening; empty if there was none} */
    Optional<Throwable> lastFailure();

    /**
     * {@return the number of restarts so far, not counting the attempts of a chain that stands by} With partitions, the sum over all
     * that have run here.
     */
    int restarts();

    /** Closes within {@link #CLOSE_LIMIT}, as {@link #close(Duration)}. */
    @Override
    default void close() {
        close(CLOSE_LIMIT);
    }

    /**
     * Stops the input, delivers and stores messages in progress, and releases everything. Messages that could not be
     * delivered in time remain in their topic on durable transports and are lost on others. Idempotent.
     *
     * <p>Returns within the limit, the time that the transport needs to close, and 500 ms for a callback in progress. A
     * callback that takes longer is logged: what its loop has of the chain is released when it returns, and until then a
     * transport that excludes rivals refuses to open the same parts again. With manual loops it waits for all. If a callback of
     * the chain calls it, the messages of its turn are delivered, and what its loop has of the chain is released when that
     * turn ends.
     *
     * <p>Restarts end: a chain that waits for its restart is closed at once; a chain that is being opened is closed when
     * the opening ends, which is waited for until the limit and 500 ms longer. A member leaves its group, and its
     * partitions move to the others at once. A tap or a merge first handles the messages that its topics held when the
     * close began, as far as the transport reports that.
     *
     * @param limit time to deliver and store messages in progress; a negative one counts as zero
     * @return whether everything was delivered and stored, false if the newest run had failed; if the chain was closed
     *     before, the result of that close
     */
    boolean close(Duration limit);

    /**
     * Closes as {@link #close(Duration)} does, but a member stays in its group: its partitions wait until it is started
     * again under the same name, and move to the others if it is not back within the session timeout. For a restart or an
     * update of this process that takes less than that: the partitions do not move twice, and no other member is
     * interrupted. No member handles their messages meanwhile, so use {@link #close(Duration)} for a process that does not
     * return. Without a member both are the same.
     *
     * @param limit time to deliver and store messages in progress; a negative one counts as zero
     * @return as {@link #close(Duration)}
     */
    default boolean closeForRestart(Duration limit) {
        return close(limit);
    }

    /**
     * Closes chains together within one limit: all of them stop their input, then all deliver and store messages in
     * progress, then all are released. A stalled chain takes no time from the others, and many chains of one loop close in
     * a few sweeps. Chains that restart and chains with partitions are closed after the others, one by one, in equal shares
     * of what is left of the limit. {@link #close(Duration)} then returns whether a chain delivered and stored everything.
     *
     * @param chains chains of any loops; those that are closed already are skipped
     * @param limit time to deliver and store messages in progress; a negative one counts as zero
     */
    static void closeAll(Collection<? extends RunningChain> chains, Duration limit) {
        Closing.all(List.copyOf(chains), Limits.nanos("limit", limit));
    }
}
