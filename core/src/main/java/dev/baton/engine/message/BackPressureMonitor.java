package dev.baton.engine.message;

import dev.baton.run.Environment;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.status.ChainStatus.HeldBack;

/**
 * Queries, while claims of an inlet are refused, every 100 ms which consumer holds the topic back. Confined to the
 * sending thread, except for {@link #heldBack}.
 */
public final class BackPressureMonitor {
    private static final long LOOK_NANOS = 100_000_000;

    /**
     * The delay of the first query. Short refusals, of a topic that is merely read more slowly than it is written, cause no
     * query.
     */
    private static final long FIRST_LOOK_NANOS = 10_000_000;

    /** The age at which a result is discarded, because a sender that still tried to claim would have queried again. */
    private static final long STALE_NANOS = 2_000_000_000L;

    private record Look(HeldBack found, long atNanos) {}

    private final String topic;
    private final Environment environment;
    private boolean isRefused; // whether the last claim was refused
    private long sinceNanos; // time of the first refusal since the last granted claim
    private long nextLookNanos;
    private volatile Look newest; // null if claims are granted, or no consumer holds the topic back

    public BackPressureMonitor(String topic, Environment environment) {
        this.topic = topic;
        this.environment = environment;
    }

    /** Records that a claim was granted. */
    public void granted() {
        if (isRefused) {
            isRefused = false;
            newest = null;
        }
    }

    /** Records that a claim was refused. */
    public void refused(TopicWriter writer) {
        long now = environment.nanoTime();
        if (!isRefused) {
            isRefused = true;
            sinceNanos = now;
            nextLookNanos = now + FIRST_LOOK_NANOS;
        }
        if (now - nextLookNanos < 0) {
            return;
        }
        nextLookNanos = now + LOOK_NANOS;
        ConsumerLag slowest = writer.slowestConsumer();
        newest = slowest == null
                ? null
                : new Look(new HeldBack(topic, slowest.consumer(), slowest.frames(), now - sinceNanos), now);
    }

    /** Returns the consumer that holds the topic back, as last seen; null for none. Any thread. */
    public HeldBack heldBack() {
        Look seen = newest;
        long passed = seen == null ? 0 : environment.nanoTime() - seen.atNanos();
        if (seen == null || passed > STALE_NANOS) {
            return null;
        }
        HeldBack found = seen.found();
        return new HeldBack(topic, found.consumer(), found.frames(), found.nanos() + Math.max(0, passed));
    }
}
