package dev.baton.manage;

import dev.baton.spi.StorageUse;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Estimates how fast the topics of a transport fill their disk, from samples that are taken when it is asked, at most every 30
 * seconds. A monitor that asks each minute knows the growth with its second question. Thread-safe.
 */
public final class StorageWatch {
    /** Between two samples, at least. */
    public static final Duration INTERVAL = Duration.ofSeconds(30);

    private static final long MAX_SPAN_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long MIN_SPAN_NANOS = TimeUnit.MINUTES.toNanos(1); // a topic takes space in steps
    private static final double HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final double MAX_SECONDS = TimeUnit.DAYS.toSeconds(36_500);

    private record Sample(long nanos, StorageUse use) {}

    private final String name;
    private final Supplier<Optional<StorageUse>> storage;
    private final ReentrantLock sampling = new ReentrantLock();
    private final Deque<Sample> samples = new ArrayDeque<>(); // guarded by sampling
    private boolean hasAsked; // guarded by sampling
    private long askedNanos; // guarded by sampling
    private volatile StorageGrowth growth; // null: not known
    private volatile Duration watched = Duration.ZERO;

    private StorageWatch(String name, Supplier<Optional<StorageUse>> storage) {
        this.name = Objects.requireNonNull(name, "name");
        this.storage = Objects.requireNonNull(storage, "storage");
    }

    /**
     * {@return the watch of a transport that stays open for as long as it is asked}
     *
     * @param transport whose topics lie on a file system of this host, as those of Chronicle do; of another one nothing is known
     */
    public static StorageWatch of(Transport transport) {
        return new StorageWatch(transport.name(), transport::storageUse);
    }

    /**
     * {@return a watch of topics whose use is told otherwise}
     *
     * @param name that tells it from the other watches of this JVM
     * @param storage may block, and throw a {@link TransportException}; empty while nothing is known
     */
    public static StorageWatch of(String name, Supplier<Optional<StorageUse>> storage) {
        return new StorageWatch(name, storage);
    }

    /** {@return what tells it from the other watches of this JVM; the transport's name unless it was given one} */
    public String name() {
        return name;
    }

    /**
     * {@return what is known; empty when the transport cannot tell} Takes a sample when the last one is 30 seconds old, which may
     * block as the transport does. One caller waits for that; others get what is known meanwhile.
     */
    public Optional<StorageGrowth> growth() {
        if (sampling.tryLock()) {
            try {
                sample(System.nanoTime());
            } finally {
                sampling.unlock();
            }
        }
        return known();
    }

    /** {@return what the last sample showed, without taking another one} */
    public Optional<StorageGrowth> known() {
        return Optional.ofNullable(growth);
    }

    /** {@return how much time the growth was estimated from} */
    public Duration watched() {
        return watched;
    }

    /** Confined to one thread at a time. */
    void sample(long nanos) {
        if (hasAsked && nanos - askedNanos < INTERVAL.toNanos()) {
            return;
        }
        hasAsked = true;
        askedNanos = nanos;
        Optional<StorageUse> use;
        try {
            use = storage.get();
        } catch (TransportException unknown) {
            return; // what was known stays: the next sample may tell more
        }
        if (use.isEmpty()) {
            return;
        }
        samples.add(new Sample(nanos, use.get()));
        while (nanos - samples.peek().nanos > MAX_SPAN_NANOS) {
            samples.remove();
        }
        growth = estimated();
        watched = Duration.ofNanos(nanos - samples.peek().nanos);
    }

    private StorageGrowth estimated() {
        Sample first = samples.peekFirst();
        Sample last = samples.peekLast();
        long bytes = last.use.bytes();
        long free = last.use.freeBytes();
        double hours = (last.nanos - first.nanos) / HOUR_NANOS;
        if (last.nanos - first.nanos < MIN_SPAN_NANOS) {
            return new StorageGrowth(bytes, free, null, null);
        }
        double perHour = (bytes - first.use.bytes()) / hours;
        double fewerPerHour = Math.max(perHour, (first.use.freeBytes() - free) / hours);
        double seconds = free / fewerPerHour * TimeUnit.HOURS.toSeconds(1);
        boolean isKnown = fewerPerHour > 0 && seconds < MAX_SECONDS;
        return new StorageGrowth(bytes, free, Math.round(perHour), isKnown ? Math.round(seconds) : null);
    }
}
