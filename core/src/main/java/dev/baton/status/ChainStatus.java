package dev.baton.status;

import dev.baton.Deployment;
import dev.baton.status.ChainStatus.BlockedPart;
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

    /**
     * A part whose current call blocks its loop. Immutable, thread-safe.
     *
     * @param name name of the part
     * @param duration lower bound of the time that the call has taken
     */
    public record BlockedPart(String name, Duration duration) {}

    /**
     * The health of a running chain. Immutable, thread-safe.
     *
     * @param isHealthy whether the chain runs and all its loops answer
     * @param reason why it is not healthy; for a healthy chain the consumer that holds one of its topics back, or empty
     */
    public record ChainHealth(boolean isHealthy, Optional<String> reason) {
        static ChainHealth of(ChainStatus status) {
            String problem = problem(status);
            if (problem != null) {
                return new ChainHealth(false, Optional.of(problem));
            }
            return new ChainHealth(true, status.holdingBack().map(HeldBack::toString));
        }

        /** Returns the reason why the chain is not healthy; null for none. */
        private static String problem(ChainStatus status) {
            String chain = "chain " + status.chain().name();
            String cause = status.failure().map(Throwable::toString).orElse("unknown");
            switch (status.phase()) {
                case FAILED:
                    return chain + " has failed: " + cause;
                case RESTARTING:
                    return chain + " is opened again after a failure: " + cause;
                case CLOSING:
                    return chain + " is closing";
                case CLOSED:
                    return chain + " is closed";
                default:
                    break;
            }
            if (status.blocked().isPresent()) {
                BlockedPart blocked = status.blocked().get();
                return chain + ": a call of '" + blocked.name() + "' has blocked its loop for "
                        + blocked.duration().toMillis() + " ms";
            }
            return status.isComplete()
                    ? null
                    : chain + ": a loop has not answered within " + ChainStatus.PATIENCE.toMillis()
                            + " ms; another chain's service blocks it, or its services have that much to do";
        }
    }

    /**
     * The identity of a running chain, or of one of its partitions. Immutable, thread-safe.
     *
     * @param name name of the chain
     * @param instance number of this instance of the chain
     * @param partition number of the partition; -1 for a chain without partitions, and for all of them together
     */
    public record ChainId(String name, int instance, int partition) {}

    /**
     * A consumer that holds a topic back: the topic has no room for the next frame before this consumer acknowledges some.
     * Immutable, thread-safe.
     *
     * @param topic topic that has no room
     * @param consumer the consumer, of several the one that is furthest behind: a service of this chain, a tap, another chain,
     *     or one that is not running any more; {@link #NO_CONSUMER} if the topic is full and has none
     * @param frames number of frames in the topic that it has not acknowledged
     * @param nanos lower bound of the time since the topic last took a frame
     */
    public record HeldBack(String topic, String consumer, long frames, long nanos) {
        /** Stands for the consumer of a topic that nothing reads. */
        public static final String NO_CONSUMER = "(no consumer)";

        @Override
        public String toString() {
            if (consumer.equals(NO_CONSUMER)) {
                return "topic " + topic + " is full and has no consumer: set onOutput, or start what reads the topic";
            }
            return "consumer '" + consumer + "' holds topic " + topic + " back: it is " + frames
                    + " frames behind, and the topic has taken none for "
                    + Duration.ofNanos(nanos).toMillis() + " ms";
        }
    }
}
