package dev.baton.engine.message;

import dev.baton.run.Environment;
import dev.baton.spi.ConsumerLag;
import dev.baton.spi.TopicWriter;
import dev.baton.status.HeldBack;

/**
 * The consumer for which refused claims of an inlet wait: looks every 100 ms for the
 * consumer that holds the topic back. Confined to the sending thread, except for {@link #heldBack}.
 */
public final class RefusedClaims {
    private static final long LOOK_NANOS = 100_000_000;

    /** Refusals end sooner where the topic is only read more slowly than it is written: then nothing is looked for. */
    private static final long FIRST_LOOK_NANOS = 10_000_000;

    /** A sender that has given up no longer observes its topic; one that still tries has looked long before. */
    private static final long STALE_NANOS = 2_000_000_000L;

    private record Look(HeldBack found, long atNanos) {}

    private final String topic;
    private final Environment environment;
    private boolean isRefused; // the last claim
    private long sinceNanos; // when the first claim was refused since one was granted
    private long nextLookNanos;
    private volatile Look newest; // null: claims are granted, or no consumer holds the topic back

    public RefusedClaims(String topic, Environment environment) {
        this.topic = topic;
        this.environment = environment;
    }

    /** A claim was granted. */
    public void granted() {
        if (isRefused) {
            isRefused = false;
            newest = null;
        }
    }

    /** A claim was refused. */
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

    /** The consumer that holds the topic back, as it was seen last; null for none. Any thread. */
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
