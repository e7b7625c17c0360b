package dev.baton.status;

import dev.baton.Deployment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The status of a running chain, for monitoring. Immutable, thread-safe.
 *
 * @param chain chain, and the instance and the partition of it that this is the status of
 * @param phase phase of its life
 * @param failure failure that stopped the chain; empty if there is none
 * @param restarts number of restarts so far of a chain that is opened again when it fails; of all partitions together
 * @param parts parts that run in this process, in chain order, without those of loops that did not respond
 * @param heldBack topics without room that this chain writes here, each with the consumer that holds it back; in chain
 *     order
 * @param isComplete whether every loop responded within {@link #PATIENCE}; a loop that did not is blocked by a callback, or
 *     its sweep takes that long
 * @param blocked the part that blocks a loop, if it belongs to this chain: one call of it has taken {@link #PATIENCE} or
 *     longer; if there are several, the one that has blocked for longest; empty for none
 */
public record ChainStatus(
        ChainId chain,
        Phase phase,
        Optional<Throwable> failure,
        int restarts,
        List<PartStatus> parts,
        List<HeldBack> heldBack,
        boolean isComplete,
        Optional<BlockedPart> blocked) {
    /** The time limit for loops to respond. It is much longer than a sweep, and much shorter than the timeout of a monitor. */
    public static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The phase of a chain's life. */
    public enum Phase {
        /** The chain takes messages and delivers them. */
        RUNNING,
        /** The chain takes no more messages and drains in-flight messages. */
        CLOSING,
        /** The chain has released everything. */
        CLOSED,
        /** The chain has stopped and waits to be closed. */
        FAILED,
        /** A run has failed, and the next one follows: {@link Deployment#restart}. */
        RESTARTING,
        /** Another process runs the chain: {@link Deployment#standby}. */
        STANDING_BY
    }

    /**
     * Creates a status; no argument is null.
     *
     * @param chain chain, instance and partition
     * @param phase phase at the time of the query
     * @param failure failure that stopped it; empty for none
     * @param restarts number of restarts so far
     * @param parts parts in chain order; the list is copied
     * @param heldBack one entry for each topic without room; the list is copied
     * @param isComplete false if {@code parts} lacks those of a loop that did not respond
     * @param blocked empty unless a loop did not respond
     */
    public ChainStatus {
        parts = List.copyOf(parts);
        heldBack = List.copyOf(heldBack);
    }

    /**
     * {@return of the topics without room the one closest to the chain's end; empty if there is none} Topics before it have
     * no room because the messages there cannot proceed.
     */
    public Optional<HeldBack> holdingBack() {
        return heldBack.isEmpty() ? Optional.empty() : Optional.of(heldBack.get(heldBack.size() - 1));
    }

    /** {@return the chain's health at the time of this status, with the reason if it is not healthy} */
    public ChainHealth health() {
        return ChainHealth.of(this);
    }

    /**
     * {@return the total number of inputs that the parts in this process have not consumed yet; {@link PartStatus#UNKNOWN} if
     * the number of one part is unknown}
     */
    public long backlog() {
        long sum = 0;
        for (PartStatus part : parts) {
            if (part.input() != null) {
                if (part.input().backlog() == PartStatus.UNKNOWN) {
                    return PartStatus.UNKNOWN;
                }
                sum += part.input().backlog();
            }
        }
        return sum;
    }
}
