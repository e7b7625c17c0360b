package dev.baton.manage;

import dev.baton.spi.Transport;
import dev.baton.spi.Transport.StorageUse;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * An estimate of how fast the topics of a transport fill their disk. It takes samples when it is queried, at most every 30
 * seconds. A monitor that queries it each minute gets the growth with its second query. Thread-safe.
 */
public final class StorageWatch {
    /** The minimum time between two samples. */
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
    private volatile StorageGrowth growth; // null while it is not known
    private volatile Duration watched = Duration.ZERO;

    private StorageWatch(String name, Supplier<Optional<StorageUse>> storage) {
        this.name = Objects.requireNonNull(name, "name");
        this.storage = Objects.requireNonNull(storage, "storage");
    }

    /**
     * {@return a watch of a transport, which has to stay open as long as the watch is queried}
     *
     * @param transport transport whose topics are on a file system of this host, such as Chronicle; for other transports
     *     the estimate is empty
     */
    public static StorageWatch of(Transport transport) {
        return new StorageWatch(transport.name(), transport::storageUse);
    }

    /**
     * {@return a watch of topics whose disk usage a supplier returns}
     *
     * @param name name that is unique among the watches of this JVM
     * @param storage supplier that may block, and may throw a {@link TransportException}; empty while nothing is known
     */
    public static StorageWatch of(String name, Supplier<Optional<StorageUse>> storage) {
        return new StorageWatch(name, storage);
    }

    /** {@return its name, unique among the watches of this JVM; by default the transport's name} */
    public String name() {
        return name;
    }

    /**
     * {@return the current estimate; empty if the transport does not know it} Takes a sample if the last one is 30 seconds old,
     * which may block as the transport does. One caller waits for the sample; others get the last estimate meanwhile.
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

    /** {@return the estimate after the last sample, without taking another one} */
    public Optional<StorageGrowth> known() {
        return Optional.ofNullable(growth);
    }

    /** {@return the time over which the growth was measured} */
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
            return; // keep the last estimate: the next sample may succeed
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

    /**
     * The disk space of a transport's topics, and its growth. Immutable, thread-safe.
     *
     * @param bytes disk space of all topics
     * @param freeBytes disk space that writers may still use
     * @param bytesPerHour growth of the topics, measured over the last hour at most; null before a minute has passed
     * @param secondsUntilFull time until the disk is full, at the rate at which the topics grow or the free space shrinks,
     *     whichever is faster; null if it is not known or neither happens
     */
    public record StorageGrowth(long bytes, long freeBytes, Long bytesPerHour, Long secondsUntilFull) {}
}
